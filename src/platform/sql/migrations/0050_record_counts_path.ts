// The last function of the owner's that looked for its tables in `public`, and in what the session has made for itself before that (0031): it
// finds them in the schema alone, whatever that is called (docs/operations.md, "Roles of the database").
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  yield* sql.unsafe(`ALTER FUNCTION record_counts_change() SET search_path = ${schema}, pg_temp`)
})
