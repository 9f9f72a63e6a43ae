// Indexes of pairs (developer-api.md 4.2): the records with one value of a field, in the order of another, so that a page of a large app by
// a filter and a sort reads its own records alone. Housekeeping builds them for the pairs that are often asked for; from `chosen_on` on the
// writes keep their keys (as 0044 does for fields). A pair goes with the index of either field.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { addRecordEntries } from "../searchSources.ts"

const SORT_COLUMNS = ["number", "words", "plain"] as const

/** Keys that a record of `${row}` has by the pairs of `p`. */
const keysOf = (row: string) =>
  `record_pair_rows(f.kind, ${row}.cells->(f.field_id::text), s.kind, ${row}.cells->(s.field_id::text))`

/** Pairs whose keys are kept. */
const CHOSEN = `
  pair_indexes p JOIN field_indexes f ON f.field_id = p.filter_id JOIN field_indexes s ON s.field_id = p.sort_id`

const INTO = "INSERT INTO record_pairs (pair_id, record_id, value, number, words, plain)"

const KEYS = "RETURNING field_id, number, words, plain, ref"
const COUNTED = "words IS NULL AND (number IS NOT NULL OR plain IS NOT NULL OR ref IS NOT NULL)"
const PART = "key_part(number) AS number, left(plain, 10) AS plain, ref"
const noted = (from: string, change: 1 | -1) => `
  INSERT INTO record_key_counts (field_id, number, plain, ref, change) SELECT field_id, ${PART}, ${change} FROM ${from} WHERE ${COUNTED}`

/** Bodies of 0073 and 0048, and the keys of pairs; an app without an index of a field has none of a pair. */
const BODIES = {
  records_added: `
    INSERT INTO record_counts (app_id, change) SELECT app_id, count(*) FROM now WHERE deleted_on IS NULL GROUP BY app_id;
    ${addRecordEntries};
    IF EXISTS (SELECT 1 FROM field_indexes) THEN
      WITH made AS (
        INSERT INTO record_keys (field_id, record_id, n, number, words, plain, ref)
        SELECT f.field_id, now.record_id, k.* FROM now JOIN field_indexes f ON f.app_id = now.app_id
        CROSS JOIN LATERAL record_key_rows(f.kind, now.cells->(f.field_id::text)) AS k
        WHERE now.deleted_on IS NULL ON CONFLICT DO NOTHING ${KEYS}
      ) INSERT INTO record_key_counts (field_id, number, plain, ref, change)
        SELECT field_id, ${PART}, count(*) FROM made WHERE ${COUNTED} GROUP BY 1, 2, 3, 4;
      ${INTO} SELECT p.pair_id, now.record_id, k.* FROM now JOIN ${CHOSEN} ON p.app_id = now.app_id
      CROSS JOIN LATERAL ${keysOf("now")} AS k
      WHERE p.chosen_on IS NOT NULL AND now.deleted_on IS NULL ON CONFLICT DO NOTHING;
    END IF;`,
  record_keys_update: `
    FOR one IN SELECT field_id, kind FROM field_indexes WHERE app_id = NEW.app_id LOOP
      IF OLD.cells->(one.field_id::text) IS DISTINCT FROM NEW.cells->(one.field_id::text)
        OR (OLD.deleted_on IS NULL) <> (NEW.deleted_on IS NULL) THEN
        WITH gone AS (DELETE FROM record_keys WHERE field_id = one.field_id AND record_id = NEW.record_id ${KEYS})
        ${noted("gone", -1)};
        IF NEW.deleted_on IS NULL THEN
          WITH made AS (
            INSERT INTO record_keys (field_id, record_id, n, number, words, plain, ref)
            SELECT one.field_id, NEW.record_id, k.* FROM record_key_rows(one.kind, NEW.cells->(one.field_id::text)) AS k
            ON CONFLICT DO NOTHING ${KEYS}
          ) ${noted("made", 1)};
        END IF;
      END IF;
    END LOOP;
    IF FOUND THEN
      FOR one IN SELECT pair_id, filter_id, sort_id FROM pair_indexes WHERE app_id = NEW.app_id AND chosen_on IS NOT NULL LOOP
        IF OLD.cells->(one.filter_id::text) IS DISTINCT FROM NEW.cells->(one.filter_id::text)
          OR OLD.cells->(one.sort_id::text) IS DISTINCT FROM NEW.cells->(one.sort_id::text)
          OR (OLD.deleted_on IS NULL) <> (NEW.deleted_on IS NULL) THEN
          DELETE FROM record_pairs WHERE pair_id = one.pair_id AND record_id = NEW.record_id;
          IF NEW.deleted_on IS NULL THEN
            ${INTO} SELECT p.pair_id, NEW.record_id, k.* FROM ${CHOSEN} CROSS JOIN LATERAL ${keysOf("NEW")} AS k
            WHERE p.pair_id = one.pair_id ON CONFLICT DO NOTHING;
          END IF;
        END IF;
      END LOOP;
    END IF;`,
  record_keys_delete: `
    FOR one IN SELECT field_id FROM field_indexes WHERE app_id = OLD.app_id LOOP
      WITH gone AS (DELETE FROM record_keys WHERE field_id = one.field_id AND record_id = OLD.record_id ${KEYS})
      ${noted("gone", -1)};
    END LOOP;
    IF FOUND THEN
      FOR one IN SELECT pair_id FROM pair_indexes WHERE app_id = OLD.app_id AND chosen_on IS NOT NULL LOOP
        DELETE FROM record_pairs WHERE pair_id = one.pair_id AND record_id = OLD.record_id;
      END LOOP;
    END IF;`
} as const

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`

  // `requests` since `counted_from`, and `often_on`: when they were last enough. Of `begun_at`, `built_to` and `ready_on`: as field_indexes.
  yield* sql`
    CREATE TABLE pair_indexes (
      pair_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
      filter_id bigint NOT NULL REFERENCES field_indexes ON DELETE CASCADE,
      sort_id bigint NOT NULL REFERENCES field_indexes ON DELETE CASCADE,
      requests integer NOT NULL,
      counted_from timestamptz NOT NULL,
      often_on timestamptz,
      chosen_on timestamptz,
      begun_at xid8,
      built_to bigint NOT NULL DEFAULT 0,
      ready_on timestamptz,
      UNIQUE (filter_id, sort_id)
    )`
  yield* sql`CREATE INDEX pair_indexes_app ON pair_indexes (app_id)`
  yield* sql`CREATE INDEX pair_indexes_sort ON pair_indexes (sort_id)`

  // A row of live records for each number or id that the filter's field has. Without a key where the sort's field is empty.
  yield* sql`
    CREATE TABLE record_pairs (
      pair_id bigint NOT NULL,
      record_id bigint NOT NULL,
      value numeric NOT NULL,
      number numeric,
      words text COLLATE "und-x-icu",
      plain text COLLATE "C",
      PRIMARY KEY (pair_id, record_id, value)
    )`
  for (const column of SORT_COLUMNS)
    for (const [name, direction] of [
      ["up", "ASC"],
      ["down", "DESC"]
    ])
      yield* sql.unsafe(`
        CREATE INDEX record_pairs_${column}_${name} ON record_pairs (pair_id, value, ${column} ${direction}, record_id)
        WHERE ${column} IS NOT NULL`)
  yield* sql`
    CREATE INDEX record_pairs_empty ON record_pairs (pair_id, value, record_id)
    WHERE number IS NULL AND words IS NULL AND plain IS NULL`
  yield* sql`ALTER TABLE record_pairs SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`

  // The filter's keys beside the one key of the sort's field (0044); what a text is compared by is no order.
  yield* sql`
    CREATE FUNCTION record_pair_rows(filter_kind text, filter_cell jsonb, sort_kind text, sort_cell jsonb)
    RETURNS TABLE (value numeric, number numeric, words text, plain text)
    LANGUAGE sql STABLE AS $$
      SELECT coalesce(f.number, f.ref), s.number, s.words, CASE WHEN sort_kind = 'day' THEN s.plain END
      FROM record_key_rows(filter_kind, filter_cell) AS f CROSS JOIN record_key_rows(sort_kind, sort_cell) AS s
      WHERE coalesce(f.number, f.ref) IS NOT NULL
    $$`
  yield* sql.unsafe(`
    CREATE FUNCTION record_pairs_analyze() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
    BEGIN
      ANALYZE record_pairs;
    END $$`)

  for (const [name, body] of Object.entries(BODIES))
    yield* sql.unsafe(`
      CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp SET enable_seqscan = off AS $$
      DECLARE one record;
      BEGIN
        ${body}
        RETURN NULL;
      END $$`)
})
