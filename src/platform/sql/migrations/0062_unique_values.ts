// Fields whose values no two live records share (developer-api.md 11.2): a row for each value that one holds, which the primary key keeps to
// a single record whoever writes at once. Apps without such fields have no rows and no statement more.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // What the release before makes is not unique, and what it changes stays what it was.
  yield* sql`ALTER TABLE fields ADD COLUMN "unique" boolean NOT NULL DEFAULT false`
  // No foreign keys, as with all hot tables (migration 0004). `value` is folded, a long one is its digest.
  yield* sql`
    CREATE TABLE unique_values (
      field_id bigint NOT NULL,
      value text COLLATE "C" NOT NULL,
      record_id bigint NOT NULL,
      PRIMARY KEY (field_id, value)
    )`
})
