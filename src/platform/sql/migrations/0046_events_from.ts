// From which event on an automation or a hook is told (developer-api.md 7.2; service.md 6; decisions W5): what had happened when it was
// switched on is not for it, however late it is handed over. By ids, not by clocks: who draws one has all later events behind it. Null: all.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE automations ADD COLUMN events_from bigint`
  yield* sql`ALTER TABLE hooks ADD COLUMN events_from bigint`
})
