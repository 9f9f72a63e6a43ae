// Weblinks that can fire no more are found by the time of their end, so that they go in batches (developer-api.md 7.10).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX weblinks_expires ON weblinks (expires_on) WHERE expires_on IS NOT NULL`
  yield* sql`CREATE INDEX weblinks_spent ON weblinks (window_on) WHERE once AND clicks > 0`
})
