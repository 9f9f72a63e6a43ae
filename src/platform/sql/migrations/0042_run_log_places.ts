// Which item of its loops an entry of a run's log is about, as the ledger has it; and the runs that retry a run (developer-api.md 7.11).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Null outside of loops, and in what earlier releases have written.
  yield* sql`ALTER TABLE run_logs ADD COLUMN iteration text`
  yield* sql`CREATE INDEX runs_retry_of ON runs (retry_of_run_id, run_id) WHERE retry_of_run_id IS NOT NULL`
})
