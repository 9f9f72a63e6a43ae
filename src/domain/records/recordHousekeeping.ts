// Deletes expired records and files: records after 30 days in the trash (configurable, developer-api.md 4.3 rule 6), uploads that were
// never attached, and files without links (6 rule 2). In batches; safe in several processes at once.
import { Clock, Effect } from "effect"
import { AppConfig } from "../../platform/config/Config.ts"
import { allInTurn } from "../../platform/primitives/allInTurn.ts"
import { deleteInBatches } from "../../platform/sql/deleteInBatches.ts"
import { Files } from "./files/Files.ts"
import { RecordWriter } from "./writing/RecordWriter.ts"

const BATCH = 500
const DAY = 86_400_000

interface RecordsPruned {
  /** Records destroyed. */
  readonly records: number
  readonly files: number
}

export const housekeeping = Effect.gen(function* () {
  const { trashDays } = yield* AppConfig
  const writer = yield* RecordWriter
  const files = yield* Files
  const cutoff = new Date((yield* Clock.currentTimeMillis) - trashDays * DAY)
  const prunedCounts: RecordsPruned = yield* allInTurn({
    records: deleteInBatches(BATCH, writer.purge(cutoff, BATCH)),
    // After the records, whose files hang nowhere then.
    files: deleteInBatches(1, files.prune(BATCH))
  })
  return prunedCounts
}).pipe(Effect.withSpan("records.housekeeping"))
