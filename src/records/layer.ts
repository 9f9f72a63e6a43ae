// The services of this room, over accounts and the outbox.
import { Layer } from "effect"
import { AppChanges } from "./AppChanges.ts"
import { Apps } from "./Apps.ts"
import { Definitions } from "./Definitions.ts"
import { EntryIds } from "./EntryIds.ts"
import { Lookups } from "./Lookups.ts"
import { Records } from "./Records.ts"
import { RecordWriter } from "./RecordWriter.ts"
import { Revisions } from "./Revisions.ts"

const Parts = Layer.mergeAll(Definitions.layer, Lookups.layer, EntryIds.layer, AppChanges.layer)

export const RecordsRoom = Layer.mergeAll(Apps.layer, Revisions.layer).pipe(
  Layer.provideMerge(Records.layer),
  Layer.provideMerge(RecordWriter.layer),
  Layer.provideMerge(Parts)
)
