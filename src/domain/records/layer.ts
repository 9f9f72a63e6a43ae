// The services of this module, over accounts and the outbox.
import { Effect, Layer } from "effect"
import { Jobs } from "../jobs/Jobs.ts"
import { AppChangeSubscribers } from "./apps/AppChangeSubscribers.ts"
import { Apps } from "./apps/Apps.ts"
import { Comments } from "./comments/Comments.ts"
import { FieldSwitches } from "./conversion/FieldSwitches.ts"
import { Contents } from "./files/Contents.ts"
import { Files } from "./files/Files.ts"
import { Storage } from "./files/Storage.ts"
import { Listings } from "./listing/Listings.ts"
import { RecordGroups } from "./listing/RecordGroups.ts"
import { RecordQueries } from "./listing/RecordQueries.ts"
import { Relations } from "./listing/Relations.ts"
import { Definitions } from "./model/Definitions.ts"
import { DownloadUrl, Lookups } from "./model/Lookups.ts"
import { Records } from "./reading/Records.ts"
import { Revisions } from "./reading/Revisions.ts"
import { Views } from "./views/Views.ts"
import { EntryIds } from "./writing/EntryIds.ts"
import { RecordNumbers } from "./writing/RecordNumbers.ts"
import { RecordWriter } from "./writing/RecordWriter.ts"
import { UserTitles } from "./writing/userTitles.ts"

const Parts = Layer.mergeAll(
  Definitions.layer,
  Lookups.layer,
  EntryIds.layer,
  RecordNumbers.layer,
  AppChangeSubscribers.layer
)

/** Files that records show carry a signed address (developer-api.md 6 rule 3). */
const Downloads = Layer.effect(
  DownloadUrl,
  Effect.map(Files, (files) => files.link)
)
const FileServices = Files.layer.pipe(Layer.provideMerge(Layer.mergeAll(Contents.layer, Storage.layer)))

export const RecordServices = Layer.mergeAll(
  Apps.layer,
  Revisions.layer,
  Comments.layer,
  Views.layer,
  Listings.layer,
  RecordGroups.layer,
  Relations.layer,
  RecordQueries.layer,
  FieldSwitches.layer,
  UserTitles
).pipe(
  Layer.provideMerge(Records.layer),
  Layer.provideMerge(RecordWriter.layer),
  Layer.provideMerge(Parts),
  Layer.provide(Downloads),
  Layer.provideMerge(Jobs.layer),
  Layer.provideMerge(FileServices)
)
