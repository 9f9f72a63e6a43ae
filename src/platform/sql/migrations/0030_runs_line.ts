// The line for places is kept by automation, and in it by age of the runs (developer-api.md 7.11 rule 7): a run that has begun is older
// than those that have not.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX runs_line_by_age ON runs (org_id, app_id, automation_id, run_id) WHERE place_wanted_on IS NOT NULL`
  yield* sql`DROP INDEX runs_line`
})
