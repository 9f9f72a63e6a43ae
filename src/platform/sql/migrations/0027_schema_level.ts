// Who may work beside this schema: the newest migration that a process must know. Each release reads it before it works, so that one
// that is too old says so and ends instead of writing what others cannot read (docs/operations.md, "Upgrade").
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE schema_level (
      one boolean PRIMARY KEY DEFAULT true CHECK (one),
      oldest integer NOT NULL
    )`
  yield* sql`INSERT INTO schema_level (oldest) VALUES (0)`
})
