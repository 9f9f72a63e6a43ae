// Requests that wait for a run are found by the run when it ends or answers (developer-api.md 7.9): an index of few rows.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX run_waits_run ON run_waits (run_id) WHERE run_id IS NOT NULL`
})
