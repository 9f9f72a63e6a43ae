// The look for the search entry of a new record (developer-api.md 11.1) reads that one entry, whatever Postgres knew of the table when it
// planned. A trigger's plan stays until the next ANALYZE: one made beside few entries read all entries of records for each new record.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const LOOK = "e.id = t.record_id"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The function as 0076 left it. With OFFSET 0 the look is no join, whose sides could be read whole.
  yield* sql.unsafe(`
    DO $$
    DECLARE definition text := pg_get_functiondef('records_added'::regproc);
    BEGIN
      IF strpos(definition, '${LOOK})') = 0 THEN
        RAISE EXCEPTION 'records_added looks for entries in another way';
      END IF;
      EXECUTE replace(definition, '${LOOK})', '${LOOK} OFFSET 0)');
    END $$`)
})
