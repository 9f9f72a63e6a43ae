// What records that are added come to, in one trigger: the number of live ones (0031) and the keys of filters and sorts with their counts
// (0044, 0048). Each trigger costs a write a call and a copy of its rows.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  yield* sql.unsafe(`
    CREATE FUNCTION records_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp SET enable_seqscan = off AS $$
    BEGIN
      INSERT INTO record_counts (app_id, change) SELECT app_id, count(*) FROM now WHERE deleted_on IS NULL GROUP BY app_id;
      IF EXISTS (SELECT 1 FROM field_indexes) THEN
        WITH made AS (
          INSERT INTO record_keys (field_id, record_id, n, number, words, plain, ref)
          SELECT f.field_id, now.record_id, k.* FROM now JOIN field_indexes f ON f.app_id = now.app_id
          CROSS JOIN LATERAL record_key_rows(f.kind, now.cells->(f.field_id::text)) AS k
          WHERE now.deleted_on IS NULL ON CONFLICT DO NOTHING RETURNING field_id, number, words, plain, ref
        ) INSERT INTO record_key_counts (field_id, number, plain, ref, change)
          SELECT field_id, key_part(number) AS number, left(plain, 10) AS plain, ref, count(*) FROM made
          WHERE words IS NULL AND (number IS NOT NULL OR plain IS NOT NULL OR ref IS NOT NULL) GROUP BY 1, 2, 3, 4;
      END IF;
      RETURN NULL;
    END $$`)
  // Nobody adds records meanwhile: a statement that had run one of the former triggers might run the new one too.
  yield* sql`
    DO $$ BEGIN
      IF NOT lock_shortly('records', 60) THEN RAISE EXCEPTION 'others hold records for too long' USING ERRCODE = 'lock_not_available'; END IF;
    END $$`
  yield* sql`DROP TRIGGER records_counted_insert ON records`
  yield* sql`DROP TRIGGER records_keyed_insert ON records`
  yield* sql`DROP FUNCTION record_keys_insert()`
  yield* sql`
    CREATE TRIGGER records_added AFTER INSERT ON records REFERENCING NEW TABLE AS now
    FOR EACH STATEMENT EXECUTE FUNCTION records_added()`
})
