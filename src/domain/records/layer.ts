// The services of this room, over accounts and the outbox.
import { Effect, Layer } from "effect"
import { AppChanges } from "./AppChanges.ts"
import { Apps } from "./Apps.ts"
import { Comments } from "./comments/Comments.ts"
import { Definitions } from "./Definitions.ts"
import { EntryIds } from "./EntryIds.ts"
import { Contents } from "./files/Contents.ts"
import { Files } from "./files/Files.ts"
import { Storage } from "./files/Storage.ts"
import { DownloadUrl, Lookups } from "./Lookups.ts"
import { Listings } from "./listing/Listings.ts"
import { RecordQueries } from "./listing/RecordQueries.ts"
import { Relations } from "./listing/Relations.ts"
import { Records } from "./Records.ts"
import { RecordWriter } from "./RecordWriter.ts"
import { Revisions } from "./Revisions.ts"
import { Views } from "./views/Views.ts"

const Parts = Layer.mergeAll(Definitions.layer, Lookups.layer, EntryIds.layer, AppChanges.layer)

/** Files that records show carry a signed address (developer-api.md 6 rule 3). */
const Downloads = Layer.effect(
  DownloadUrl,
  Effect.map(Files, (files) => files.link)
)
const FilesRoom = Files.layer.pipe(Layer.provideMerge(Layer.mergeAll(Contents.layer, Storage.layer)))

export const RecordsRoom = Layer.mergeAll(
  Apps.layer,
  Revisions.layer,
  Comments.layer,
  Views.layer,
  Listings.layer,
  Relations.layer,
  RecordQueries.layer
).pipe(
  Layer.provideMerge(Records.layer),
  Layer.provideMerge(RecordWriter.layer),
  Layer.provideMerge(Parts),
  Layer.provide(Downloads),
  Layer.provideMerge(FilesRoom)
)
