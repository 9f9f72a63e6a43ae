// Index of search (developer-api.md 11.1), second form: an entry holds the words of its texts as a line, from which the index takes its
// lexemes. Making it costs a third of what a tsvector with positions did (migration 0068); phrases and titles are compared in the line. Triggers
// stay those of migration 0068, with other functions. Rows from before are added beside the service where there are many (`laterList.ts`).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SEARCH_FUNCTIONS } from "../searchFunctions.ts"
import {
  addRecordEntries,
  backfillOf,
  entriesBehind,
  entryTrigger,
  searchedKinds,
  searchedTable
} from "../searchSources.ts"

/** Rows that a migration may read without others waiting long. */
const FEW = 10_000

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`

  // Locks out writers: what is written before is there to be read, what is written later goes through the new functions.
  const tables = [...searchedKinds.map(searchedTable), "search_entries"].join(", ")
  yield* sql.unsafe(`
    DO $$ BEGIN
      IF NOT lock_shortly('${tables}', 60) THEN
        RAISE EXCEPTION 'others hold ${tables} for too long' USING ERRCODE = 'lock_not_available';
      END IF;
    END $$`)
  yield* sql`DROP TABLE search_entries`
  for (const name of [
    "search_words(text)",
    "search_vector(text, text, text)",
    "search_record_vector(bigint, text, bigint, jsonb)"
  ])
    yield* sql.unsafe(`DROP FUNCTION ${name}`)
  for (const body of SEARCH_FUNCTIONS) yield* sql.unsafe(`CREATE OR REPLACE FUNCTION ${body}`)

  // No foreign keys, as with all hot tables (migration 0004). `record_id`: of the record itself, or the one that a comment hangs at.
  yield* sql`
    CREATE TABLE search_entries (
      org_id bigint NOT NULL,
      kind text NOT NULL,
      id bigint NOT NULL,
      app_id bigint NOT NULL,
      record_id bigint,
      line text NOT NULL,
      PRIMARY KEY (org_id, kind, id)
    )`
  yield* sql`CREATE INDEX search_entries_app ON search_entries (app_id, kind, id)`
  yield* sql`ALTER TABLE search_entries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`
  // Each search reads all of what waits to be sorted into the index, so that is little (in kB).
  yield* sql`
    CREATE INDEX search_entries_words ON search_entries USING gin (search_vector(org_id, kind, line))
    WITH (fastupdate = on, gin_pending_list_limit = 1024)`

  // Functions run as the owner, so that the release before this one keeps the index too.
  const asOwner = `LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp SET enable_seqscan = off`
  for (const kind of searchedKinds)
    yield* sql.unsafe(`
      CREATE OR REPLACE FUNCTION search_${kind}_changed() RETURNS trigger ${asOwner} AS $$
      DECLARE entry search_entries;
      ${entryTrigger(kind)} $$`)
  yield* sql.unsafe(`
    CREATE OR REPLACE FUNCTION records_added() RETURNS trigger ${asOwner} AS $$
    BEGIN
      INSERT INTO record_counts (app_id, change) SELECT app_id, count(*) FROM now WHERE deleted_on IS NULL GROUP BY app_id;
      ${addRecordEntries};
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

  // Few rows are read at once; many wait for the list of later changes.
  for (const kind of searchedKinds) {
    const later = `later/${backfillOf(kind)}`
    const [counted] = yield* sql.unsafe<{ few: boolean }>(
      `SELECT count(*) <= ${FEW} AS few FROM (SELECT 1 FROM ${searchedTable(kind)} LIMIT ${FEW + 1}) AS counted`
    )
    yield* sql`DELETE FROM installation WHERE name = ${later}`
    if (counted?.few !== true) continue
    yield* sql.unsafe(entriesBehind(kind, 0, FEW))
    yield* sql`
      INSERT INTO installation (name, value) VALUES (${later}, ${JSON.stringify({ after: 0, rows: 0, done: true })})`
  }
})
