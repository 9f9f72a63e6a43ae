// Where a session was begun, for the person to know it again: what the browser called itself, and the address.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE sessions ADD COLUMN agent text, ADD COLUMN source_address text`
})
