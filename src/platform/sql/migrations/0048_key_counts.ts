// How many keys of a field have which value, kept by the writes that keep the keys (0044), so that the `total` of a filter which very many
// records pass (developer-api.md 1.4) is added up and not counted. Of numbers the first four digits: so few parts, however many numbers.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** `key_part` is monotonic: whatever the order of two numbers, their parts have it too. Days by the day, ids as they are. */
const PART = "key_part(number) AS number, left(plain, 10) AS plain, ref"
/** Texts are not counted: no filter of theirs is answered by its keys alone. */
const COUNTED = "words IS NULL AND (number IS NOT NULL OR plain IS NOT NULL OR ref IS NOT NULL)"
const KEYS = "RETURNING field_id, number, words, plain, ref"

const INTO = "INSERT INTO record_key_counts (field_id, number, plain, ref, change)"
/** Each by itself: one record has few. */
const noted = (from: string, change: 1 | -1) =>
  `${INTO} SELECT field_id, ${PART}, ${change} FROM ${from} WHERE ${COUNTED}`

const BODIES = {
  insert: `
    IF EXISTS (SELECT 1 FROM field_indexes) THEN
      WITH made AS (
        INSERT INTO record_keys (field_id, record_id, n, number, words, plain, ref)
        SELECT f.field_id, now.record_id, k.* FROM now JOIN field_indexes f ON f.app_id = now.app_id
        CROSS JOIN LATERAL record_key_rows(f.kind, now.cells->(f.field_id::text)) AS k
        WHERE now.deleted_on IS NULL ON CONFLICT DO NOTHING ${KEYS}
      ) ${INTO} SELECT field_id, ${PART}, count(*) FROM made WHERE ${COUNTED} GROUP BY 1, 2, 3, 4;
    END IF;`,
  update: `
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
    END LOOP;`,
  delete: `
    FOR one IN SELECT field_id FROM field_indexes WHERE app_id = OLD.app_id LOOP
      WITH gone AS (DELETE FROM record_keys WHERE field_id = one.field_id AND record_id = OLD.record_id ${KEYS})
      ${noted("gone", -1)};
    END LOOP;`
} as const

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`

  // Cut downwards at four digits, or four decimals below 1: by the length of the whole part, which is exact where a logarithm is not. One
  // expression, so that it becomes a part of the statement, which is ten times as fast.
  yield* sql`
    CREATE FUNCTION key_part(number numeric) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE
        WHEN number >= 1 THEN trunc(number, 4 - length(trunc(number)::text))
        WHEN number >= 0 THEN trunc(number, 4)
        WHEN number > -1 THEN floor(number * 10000) / 10000
        ELSE floor(number * ('1e' || (5 - length(trunc(number)::text))::text)::numeric) * ('1e' || (length(trunc(number)::text) - 5)::text)::numeric
      END
    $$`

  // A write adds a row for each value that it brings or takes, and waits for nobody; housekeeping puts them together (`folded`).
  yield* sql`
    CREATE TABLE record_key_counts (
      field_id bigint NOT NULL,
      number numeric,
      plain text COLLATE "C",
      ref bigint,
      change bigint NOT NULL,
      folded boolean NOT NULL DEFAULT false
    )`
  yield* sql`CREATE INDEX record_key_counts_field ON record_key_counts (field_id, number, plain, ref) INCLUDE (change)`
  yield* sql`
    CREATE UNIQUE INDEX record_key_counts_folded ON record_key_counts (field_id, number, plain, ref) NULLS NOT DISTINCT WHERE folded`
  yield* sql`ALTER TABLE record_key_counts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`

  // `counted`: what was there before is added. `counts_from`: who does not know of the counts has begun before that transaction.
  yield* sql`
    ALTER TABLE field_indexes ADD COLUMN counted boolean NOT NULL DEFAULT false, ADD COLUMN counts_from xid8`

  for (const [when, body] of Object.entries(BODIES))
    yield* sql.unsafe(`
      CREATE OR REPLACE FUNCTION record_keys_${when}() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp SET enable_seqscan = off AS $$
      DECLARE one record;
      BEGIN
        ${body}
        RETURN NULL;
      END $$`)
})
