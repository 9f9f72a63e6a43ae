// Tags of automations (developer-api.md 7.13), as their writer spells them. A listing reads the automations of the caller's apps anyway, so
// that a filter by tag needs no index.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE automations ADD COLUMN tags text[] NOT NULL DEFAULT '{}'`
})
