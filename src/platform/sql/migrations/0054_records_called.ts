// Whether records are there and called what they were called, as of now and not as of the statement that asks (docs/architecture.md, "What a
// record comes to point to"): `FOR KEY SHARE` is given on a row as the statement found it where what has changed of it meanwhile was no key.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  // Volatile: each statement within sees what has been committed by then. LATERAL: rows are looked up one by one, however many are expected.
  yield* sql.unsafe(`
    CREATE FUNCTION records_called(given jsonb) RETURNS boolean VOLATILE LANGUAGE plpgsql AS $$
    BEGIN
      RETURN NOT EXISTS (
        SELECT FROM jsonb_to_recordset(given) AS x (record_id bigint, title text) LEFT JOIN LATERAL (
          SELECT coalesce(t.title, a.item_name || ' #' || t.app_record_id) AS title
          FROM ${schema}.records t JOIN ${schema}.apps a USING (app_id)
          WHERE t.record_id = x.record_id AND t.deleted_on IS NULL LIMIT 1) now ON true
        WHERE now.title IS DISTINCT FROM x.title);
    END $$`)
})
