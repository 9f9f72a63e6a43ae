// How often an inbound address was asked (developer-api.md 7.9), apart from what it received last: a count that waits for a payload
// to be stored would hold up its connection, and all reads behind it (decisions P8). The columns in `webhook_catches` stay for
// processes of the release before; nobody reads them any more.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE catch_windows (
      automation_id bigint PRIMARY KEY,
      window_on timestamptz NOT NULL,
      window_count integer NOT NULL
    )`
  yield* sql`
    INSERT INTO catch_windows (automation_id, window_on, window_count)
    SELECT automation_id, window_on, window_count FROM webhook_catches WHERE window_on IS NOT NULL`
})
