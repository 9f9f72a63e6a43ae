// The automation that is called when a run of another one fails (developer-api.md 7.13).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // As call targets of steps it may name what is no more: that breaks the automation, it does not hold up the removal.
  yield* sql`ALTER TABLE automations ADD COLUMN on_failure_automation_id bigint`
})
