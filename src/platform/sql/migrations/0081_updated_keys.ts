// Keeps the keys of fields and pairs (0044, 0076) of all records that a statement updates at once. Record by record they took a third of its time:
// to set up the statements of one takes as long as the keys of ten. A statement about one record takes a quarter longer for its keys.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { KEYS_KEPT } from "./0078_kept_keys.ts"

/** As 0048 has them. */
const COUNTED = "words IS NULL AND (number IS NOT NULL OR plain IS NOT NULL OR ref IS NOT NULL)"
const PART = "key_part(number), left(plain, 10), ref"
const KEYS = "RETURNING field_id, number, words, plain, ref"

const isKept = `current_setting('${KEYS_KEPT}', true) IS DISTINCT FROM r.app_id::text`

/**
 * Rows of a statement beside the indexes of their apps. With OFFSET 0 the lookup is no join, which would read the indexes of all apps for
 * each row if there were few when its plan was made.
 */
const withIndexes = (rows: string, indexes: string) => `
  ${rows} AS r CROSS JOIN LATERAL (SELECT * FROM ${indexes} f WHERE f.app_id = r.app_id OFFSET 0) AS f WHERE ${isKept}`

/**
 * Records with another cell in a field of an index, or in the trash now and not before. They are sorted for it: a hash of all records of an app
 * has no bound.
 */
const changedRows = (indexes: string, columns: string) => {
  const rowsOf = (rows: string) =>
    `SELECT r.record_id, r.deleted_on IS NULL AS is_live, ${columns} FROM ${withIndexes(rows, indexes)}`
  return `${rowsOf("new_rows")} EXCEPT ${rowsOf("old_rows")}`
}

/**
 * Deletes the keys of changed rows, each found by the primary key: a plan is kept by its connection, and one that was made while the table was
 * empty would read all of it. With OFFSET 0 the lookup is no join, whose sides could be read whole.
 */
const deleteKeys = (table: string, id: string, changed: string) => `
  DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT k.row_place FROM ${changed} c CROSS JOIN LATERAL (
      SELECT k.ctid AS row_place FROM ${table} k WHERE k.${id} = c.${id} AND k.record_id = c.record_id OFFSET 0) k))`

const CHOSEN_PAIRS = "(SELECT * FROM pair_indexes WHERE chosen_on IS NOT NULL)"

// New keys come after the old ones of their records are gone: the count makes them wait.
const BODY = `
  IF NOT EXISTS (SELECT 1 FROM ${withIndexes("new_rows", "field_indexes")}) THEN
    RETURN NULL;
  END IF;
  WITH changed_cells AS MATERIALIZED (
    ${changedRows("field_indexes", "f.field_id, f.kind, r.cells->(f.field_id::text) AS cell")}
  ), removed_keys AS (
    ${deleteKeys("record_keys", "field_id", "changed_cells")} ${KEYS}
  ), added_keys AS (
    INSERT INTO record_keys (field_id, record_id, n, number, words, plain, ref)
    SELECT c.field_id, c.record_id, k.* FROM changed_cells c CROSS JOIN LATERAL record_key_rows(c.kind, c.cell) AS k
    WHERE c.is_live AND (SELECT count(*) FROM removed_keys) >= 0 ON CONFLICT DO NOTHING ${KEYS}
  ) INSERT INTO record_key_counts (field_id, number, plain, ref, change)
    SELECT field_id, ${PART}, -1 FROM removed_keys WHERE ${COUNTED}
    UNION ALL SELECT field_id, ${PART}, 1 FROM added_keys WHERE ${COUNTED};
  IF EXISTS (SELECT 1 FROM ${withIndexes("new_rows", CHOSEN_PAIRS)}) THEN
    WITH changed_pairs AS MATERIALIZED (
      ${changedRows(
        CHOSEN_PAIRS,
        "f.pair_id, f.filter_id, f.sort_id, r.cells->(f.filter_id::text) AS filter_cell, r.cells->(f.sort_id::text) AS sort_cell"
      )}
    ), removed_keys AS (
      ${deleteKeys("record_pairs", "pair_id", "changed_pairs")} RETURNING 1
    ) INSERT INTO record_pairs (pair_id, record_id, value, number, words, plain)
      SELECT c.pair_id, c.record_id, k.* FROM changed_pairs c
      CROSS JOIN LATERAL (SELECT kind FROM field_indexes WHERE field_id = c.filter_id OFFSET 0) f
      CROSS JOIN LATERAL (SELECT kind FROM field_indexes WHERE field_id = c.sort_id OFFSET 0) s
      CROSS JOIN LATERAL record_pair_rows(f.kind, c.filter_cell, s.kind, c.sort_cell) AS k
      WHERE c.is_live AND (SELECT count(*) FROM removed_keys) >= 0 ON CONFLICT DO NOTHING;
  END IF;`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  yield* sql`
    DO $$
    BEGIN
      IF NOT lock_shortly('records', 60) THEN
        RAISE EXCEPTION 'others hold records for too long' USING ERRCODE = 'lock_not_available';
      END IF;
    END $$`
  yield* sql`DROP TRIGGER records_keyed_update ON records`
  yield* sql.unsafe(`
    CREATE OR REPLACE FUNCTION record_keys_update() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp SET enable_seqscan = off SET enable_hashagg = off AS $$
    BEGIN
      ${BODY}
      RETURN NULL;
    END $$`)
  yield* sql`
    CREATE TRIGGER records_keyed_update AFTER UPDATE ON records
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_keys_update()`
})
