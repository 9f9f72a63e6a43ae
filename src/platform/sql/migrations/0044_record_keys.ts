// Keys of records by field, typed, so that a filter or a sort by one field of a large app (developer-api.md 4.2, 4.4) reads an index
// and not every record. Only for fields that are asked for: a row of `field_indexes` begins it, the writes keep it from then on.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** As `fields/sql/predicates.ts` compares texts: trimmed, runs of white space as one blank. */
const BLANK = "[\\s\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]+"

/**
 * Updates row by row, and each row's keys by their primary key: a plan is kept by its connection for as long as that lives, and one that
 * was made while the table was empty, or for few rows, would read all of it for each of many.
 */
const AFTER = {
  insert: "AFTER INSERT ON records REFERENCING NEW TABLE AS now FOR EACH STATEMENT",
  update: `AFTER UPDATE OF cells, deleted_on ON records FOR EACH ROW
    WHEN (OLD.cells IS DISTINCT FROM NEW.cells OR (OLD.deleted_on IS NULL) <> (NEW.deleted_on IS NULL))`,
  delete: "AFTER DELETE ON records FOR EACH ROW"
} as const

const BODIES = {
  insert: `
    IF EXISTS (SELECT 1 FROM field_indexes) THEN
      INSERT INTO record_keys (field_id, record_id, n, number, words, plain, ref)
      SELECT f.field_id, now.record_id, k.* FROM now JOIN field_indexes f ON f.app_id = now.app_id
      CROSS JOIN LATERAL record_key_rows(f.kind, now.cells->(f.field_id::text)) AS k
      WHERE now.deleted_on IS NULL ON CONFLICT DO NOTHING;
    END IF;`,
  update: `
    FOR one IN SELECT field_id, kind FROM field_indexes WHERE app_id = NEW.app_id LOOP
      IF OLD.cells->(one.field_id::text) IS DISTINCT FROM NEW.cells->(one.field_id::text)
        OR (OLD.deleted_on IS NULL) <> (NEW.deleted_on IS NULL) THEN
        DELETE FROM record_keys WHERE field_id = one.field_id AND record_id = NEW.record_id;
        IF NEW.deleted_on IS NULL THEN
          INSERT INTO record_keys (field_id, record_id, n, number, words, plain, ref)
          SELECT one.field_id, NEW.record_id, k.* FROM record_key_rows(one.kind, NEW.cells->(one.field_id::text)) AS k
          ON CONFLICT DO NOTHING;
        END IF;
      END IF;
    END LOOP;`,
  delete: `
    FOR one IN SELECT field_id FROM field_indexes WHERE app_id = OLD.app_id LOOP
      DELETE FROM record_keys WHERE field_id = one.field_id AND record_id = OLD.record_id;
    END LOOP;`
} as const

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`

  // `begun_at`: writes that do not know of the row yet are of transactions before it; `built_to`: how far the records of before are.
  yield* sql`
    CREATE TABLE field_indexes (
      field_id bigint PRIMARY KEY REFERENCES fields ON DELETE CASCADE,
      app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('number', 'text', 'day', 'refs')),
      asked_on timestamptz NOT NULL,
      begun_at xid8,
      built_to bigint NOT NULL DEFAULT 0,
      ready_on timestamptz
    )`
  yield* sql`CREATE INDEX field_indexes_app ON field_indexes (app_id)`

  // A row of live records for each entry, and one without a key where a field that can be sorted by is empty.
  yield* sql`
    CREATE TABLE record_keys (
      field_id bigint NOT NULL,
      record_id bigint NOT NULL,
      n integer NOT NULL,
      number numeric,
      words text COLLATE "und-x-icu",
      plain text COLLATE "C",
      ref bigint,
      PRIMARY KEY (field_id, record_id, n)
    )`
  // Ties go by record_id upwards, whichever way the keys go.
  for (const column of ["number", "words", "plain"])
    for (const [name, way] of [
      ["up", "ASC"],
      ["down", "DESC"]
    ])
      yield* sql.unsafe(
        `CREATE INDEX record_keys_${column}_${name} ON record_keys (field_id, ${column} ${way}, record_id) WHERE ${column} IS NOT NULL`
      )
  yield* sql`CREATE INDEX record_keys_ref ON record_keys (field_id, ref, record_id) WHERE ref IS NOT NULL`
  yield* sql`
    CREATE INDEX record_keys_empty ON record_keys (field_id, record_id)
    WHERE number IS NULL AND words IS NULL AND plain IS NULL AND ref IS NULL`
  yield* sql`ALTER TABLE record_keys SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`

  // Whatever a cell holds, no write fails here; 200 characters of a text go into an index.
  yield* sql.unsafe(`
    CREATE FUNCTION record_key_rows(kind text, cell jsonb) RETURNS TABLE (n integer, number numeric, words text, plain text, ref bigint)
    LANGUAGE sql STABLE AS $$
      SELECT 0, CASE WHEN kind = 'number' AND jsonb_typeof(cell->0) = 'number' THEN (cell->>0)::numeric END,
        CASE WHEN kind = 'text' THEN left(cell->>0, 200) END,
        CASE kind WHEN 'text' THEN left(lower(btrim(regexp_replace(cell->>0, '${BLANK}', ' ', 'g'))), 200)
          WHEN 'day' THEN left(cell->0->>'start', 200) END,
        NULL::bigint
      WHERE kind <> 'refs'
      UNION ALL
      SELECT entry.i::integer, NULL, NULL, NULL, (entry.id#>>'{}')::bigint
      FROM jsonb_array_elements(CASE WHEN jsonb_typeof(cell) = 'array' THEN cell ELSE '[]' END) WITH ORDINALITY AS entry (id, i)
      WHERE kind = 'refs' AND jsonb_typeof(entry.id) = 'number'
    $$`)

  // What the planner knows of a table that has just been filled is what makes it read an index in its order; the service's role may not.
  yield* sql.unsafe(`
    CREATE FUNCTION record_keys_analyze() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
    BEGIN
      ANALYZE record_keys;
    END $$`)

  // As the owner, so that the release before this one keeps them too.
  for (const [when, body] of Object.entries(BODIES)) {
    yield* sql.unsafe(`
      CREATE FUNCTION record_keys_${when}() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp SET enable_seqscan = off AS $$
      DECLARE one record;
      BEGIN
        ${body}
        RETURN NULL;
      END $$`)
    yield* sql.unsafe(`
      CREATE TRIGGER records_keyed_${when} ${AFTER[when as keyof typeof AFTER]}
      EXECUTE FUNCTION record_keys_${when}()`)
  }
})
