// Index of search (developer-api.md 11.1): the words of titles and texts of live records, of comments and replies, and of names and
// descriptions of apps and automations, one row each. Triggers keep it in the transaction of the write. Words are split and folded as in
// `platform/text/searchWords.ts`, without the parser and the locale of the database, and carry their organization and kind: a search reads the
// entries of its organization alone. Rows from before are added beside the service where there are many (`laterList.ts`).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SEPARATORS, UNSPACED } from "../../text/searchWords.ts"

const hex = (code: number) => `\\U${code.toString(16).padStart(8, "0")}`
const classOf = (ranges: typeof SEPARATORS) =>
  `[${ranges.map(([first, last]) => `${hex(first)}-${hex(last)}`).join("")}]`

/** Characters of the texts of one record or comment that are indexed, and words: a tsvector holds 1 MB. */
const CHARACTERS = 40_000
const WORDS = 4_000
/** Characters of a word that count. */
const WORD_AT_MOST = 40
/** Rows that a migration may read without others waiting long. */
const FEW = 10_000

/** All but the end of a text, which stands alone. */
const INDEX_SEPARATORS = SEPARATORS.map(([first, last]) => [first === 1 ? 2 : first, last] as const)

/** Ends a text within joined ones, so that no phrase reaches from one into the next. */
const END = "E'\\x01'"
/** The text of sanitized HTML: a tag ends a word. */
const untagged = (html: string) =>
  `replace(replace(replace(regexp_replace(${html}, '<[^>]*>', ' ', 'g'), '&lt;', '<'), '&gt;', '>'), '&amp;', '&')`

const FUNCTIONS = [
  `FUNCTION search_words(value text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE folded text := replace(fold_text(value), ${END}, ' ' || ${END} || ' ');
    BEGIN
      IF octet_length(folded) <> length(folded) THEN
        folded := regexp_replace(folded, '${classOf(UNSPACED)}', ' \\& ', 'g');
      END IF;
      RETURN string_to_array(btrim(regexp_replace(folded, '${classOf(INDEX_SEPARATORS)}+', ' ', 'g')), ' ');
    END $$`,

  // `place`: the organization and the kind, before each word. Those of the title weigh more.
  `FUNCTION search_vector(place text, title text, body text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    DECLARE
      found text[] := (search_words(title || ${END} || coalesce(left(body, ${CHARACTERS}), '')))[:${WORDS}];
      title_end integer := array_position(found, ${END});
    BEGIN
      RETURN coalesce((
        SELECT string_agg(place || left(word, ${WORD_AT_MOST}) || ':' || n || CASE WHEN n < title_end THEN 'A' ELSE '' END, ' ')
        FROM unnest(found) WITH ORDINALITY AS t (word, n) WHERE word <> ${END}
      ), '')::tsvector;
    END $$`,

  // Texts that people wrote, by field; options, users, records and files are numbers, and dates have a start. Loops, since the planner takes
  // functions of sets for large, and would compile each call.
  `FUNCTION search_texts(cells jsonb) RETURNS TABLE (field_id bigint, value text) LANGUAGE plpgsql STABLE ROWS 10 AS $$
    DECLARE
      cell jsonb;
      entry jsonb;
      name text;
    BEGIN
      FOR name, cell IN SELECT * FROM jsonb_each(cells) LOOP
        CONTINUE WHEN jsonb_typeof(cell) <> 'array';
        field_id := name::bigint;
        FOR n IN 0..jsonb_array_length(cell) - 1 LOOP
          entry := cell->n;
          value := CASE jsonb_typeof(entry)
            WHEN 'string' THEN entry#>>'{}'
            WHEN 'object' THEN CASE
              WHEN entry ? 'start' THEN NULL
              WHEN entry ? 'url' THEN concat_ws(' ', entry->>'title', entry->>'url', entry->>'description')
              WHEN entry ? 'completed' THEN concat_ws(' ', entry->>'title', ${untagged("entry->>'description'")})
              ELSE entry->>'value' END END;
          CONTINUE WHEN value IS NULL OR value = '';
          IF jsonb_typeof(entry) = 'string' AND value ~ '[<&]'
            AND (SELECT f.field_type FROM fields f WHERE f.field_id = search_texts.field_id) = 'multi_text' THEN
            value := ${untagged("value")};
          END IF;
          RETURN NEXT;
        END LOOP;
      END LOOP;
    END $$`,

  // A phone number is found without its blanks too. An untitled record is found by its number.
  `FUNCTION search_record_vector(org bigint, title text, number bigint, cells jsonb) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
    DECLARE
      body text := '';
      one text;
    BEGIN
      FOR one IN SELECT value FROM search_texts(cells) LOOP
        EXIT WHEN length(body) > ${CHARACTERS};
        body := body || ${END} || one;
        IF one ~ '^[+0-9][0-9 ()./-]{5,50}$' THEN
          body := body || ${END} || regexp_replace(one, '[^0-9]', '', 'g');
        END IF;
      END LOOP;
      RETURN search_vector(org || 'r/', coalesce(title, number::text), body);
    END $$`,

  `FUNCTION search_comment_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(value, '@\\[([^\\]]*)\\]\\(user:[0-9]+\\)', '@\\1', 'g')
  $$`
]

const COLUMNS = "org_id, kind, id, app_id, record_id, words"

interface Source {
  readonly table: string
  readonly key: string
  /** The organization of a row that is called so. */
  readonly org: (row: "OLD" | "NEW") => string
  /** The entry of a row, without what it is selected from. */
  readonly entry: string
  readonly joins: string
  /** Rows without this have no entry. */
  readonly where: string
  /** Columns that the entry is made of, and how it tells that one has changed. */
  readonly columns: string
  readonly differs: string
}

const SOURCES = {
  record: {
    table: "records",
    key: "record_id",
    org: (row) => `${row}.org_id`,
    entry:
      "t.org_id, 'record', t.record_id, t.app_id, t.record_id, search_record_vector(t.org_id, t.title, t.app_record_id, t.cells)",
    joins: "",
    where: "t.deleted_on IS NULL",
    columns: "cells, title, deleted_on",
    differs:
      "OLD.cells IS DISTINCT FROM NEW.cells OR OLD.title IS DISTINCT FROM NEW.title OR (OLD.deleted_on IS NULL) <> (NEW.deleted_on IS NULL)"
  },
  comment: {
    table: "comments",
    key: "comment_id",
    org: (row) => `(SELECT org_id FROM apps WHERE app_id = ${row}.app_id)`,
    entry:
      "a.org_id, 'comment', t.comment_id, t.app_id, t.record_id, search_vector(a.org_id || 'c/', '', search_comment_text(t.value))",
    joins: "JOIN apps a ON a.app_id = t.app_id",
    where: "true",
    columns: "value",
    differs: "OLD.value <> NEW.value"
  },
  reply: {
    table: "replies",
    key: "reply_id",
    org: (row) => `(SELECT a.org_id FROM comments c JOIN apps a USING (app_id) WHERE c.comment_id = ${row}.comment_id)`,
    entry:
      "a.org_id, 'reply', t.reply_id, c.app_id, c.record_id, search_vector(a.org_id || 'p/', '', search_comment_text(t.value))",
    joins: "JOIN comments c ON c.comment_id = t.comment_id JOIN apps a ON a.app_id = c.app_id",
    where: "true",
    columns: "value",
    differs: "OLD.value <> NEW.value"
  },
  automation: {
    table: "automations",
    key: "automation_id",
    org: (row) => `${row}.org_id`,
    entry:
      "t.org_id, 'automation', t.automation_id, t.app_id, NULL::bigint, search_vector(t.org_id || 'm/', t.name, t.description)",
    joins: "",
    where: "t.deleted_on IS NULL",
    columns: "name, description, deleted_on",
    differs:
      "OLD.name <> NEW.name OR OLD.description IS DISTINCT FROM NEW.description OR OLD.deleted_on IS DISTINCT FROM NEW.deleted_on"
  },
  app: {
    table: "apps",
    key: "app_id",
    org: (row) => `${row}.org_id`,
    entry: `t.org_id, 'app', t.app_id, t.app_id, NULL::bigint,
      search_vector(t.org_id || 'a/', t.name, concat_ws(${END}, t.item_name, t.description))`,
    joins: "",
    where: "true",
    columns: "name, item_name, description",
    differs:
      "OLD.name <> NEW.name OR OLD.item_name <> NEW.item_name OR OLD.description IS DISTINCT FROM NEW.description"
  }
} as const satisfies Record<string, Source>
type Kind = keyof typeof SOURCES

const searchedKinds = Object.keys(SOURCES) as ReadonlyArray<Kind>

const entriesOf = (kind: Kind, rows: string) => {
  const { entry, joins, where } = SOURCES[kind]
  return `SELECT ${entry} FROM ${rows} AS t ${joins} WHERE ${where}`
}

/** Adds the entries that a batch of rows lacks, in the order of their ids; the rows are not changed meanwhile. */
const entriesBehind = (kind: Kind, after: number, limit: number) => {
  const { key, table } = SOURCES[kind]
  return `
    WITH taken AS MATERIALIZED (SELECT * FROM ${table} WHERE ${key} > ${after} ORDER BY ${key} LIMIT ${limit} FOR SHARE),
    added AS (INSERT INTO search_entries (${COLUMNS}) ${entriesOf(kind, "taken")} ON CONFLICT DO NOTHING)
    SELECT max(${key})::text AS last, count(*)::int AS rows FROM taken`
}

/** Name of the back-fill of a kind, in the list of later changes. */
const backfillOf = (kind: Kind) => `search_entries.${kind}`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "public" }] = yield* sql<{ schema: string }>`
    SELECT quote_ident(current_schema()) AS schema`
  for (const body of FUNCTIONS) yield* sql.unsafe(`CREATE ${body}`)

  // No foreign keys, as with all hot tables (migration 0004). `record_id`: of the record itself, or the one that a comment hangs at.
  yield* sql`
    CREATE TABLE search_entries (
      org_id bigint NOT NULL,
      kind text NOT NULL,
      id bigint NOT NULL,
      app_id bigint NOT NULL,
      record_id bigint,
      words tsvector NOT NULL,
      PRIMARY KEY (org_id, kind, id)
    )`
  yield* sql`ALTER TABLE search_entries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`
  // Each search reads all of what waits to be sorted into the index, so that is little (in kB).
  yield* sql`CREATE INDEX search_entries_words ON search_entries USING gin (words) WITH (fastupdate = on, gin_pending_list_limit = 256)`

  // As the owner, so that the release before this one keeps the index too.
  const asOwner = `LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp SET enable_seqscan = off`
  for (const kind of searchedKinds) {
    const { key, org } = SOURCES[kind]
    yield* sql.unsafe(`
      CREATE FUNCTION search_${kind}_changed() RETURNS trigger ${asOwner} AS $$
      DECLARE entry search_entries;
      BEGIN
        ${entriesOf(kind, "(SELECT NEW.*)").replace(" FROM ", " INTO entry FROM ")};
        IF NOT FOUND THEN
          DELETE FROM search_entries WHERE org_id = ${org("NEW")} AND kind = '${kind}' AND id = NEW.${key};
        ELSIF NOT EXISTS (
          SELECT 1 FROM search_entries e
          WHERE e.org_id = entry.org_id AND e.kind = entry.kind AND e.id = entry.id AND e.app_id = entry.app_id AND e.words = entry.words
        ) THEN
          INSERT INTO search_entries (${COLUMNS})
          VALUES (entry.org_id, entry.kind, entry.id, entry.app_id, entry.record_id, entry.words)
          ON CONFLICT (org_id, kind, id) DO UPDATE SET app_id = excluded.app_id, words = excluded.words;
        END IF;
        RETURN NULL;
      END $$`)
    // Before, as long as the rows are there that lead to the organization: replies go with their comment.
    yield* sql.unsafe(`
      CREATE FUNCTION search_${kind}_removed() RETURNS trigger ${asOwner} AS $$
      BEGIN
        DELETE FROM search_entries WHERE org_id = ${org("OLD")} AND kind = '${kind}' AND id = OLD.${key};
        ${
          kind === "comment"
            ? `DELETE FROM search_entries WHERE org_id = ${org("OLD")} AND kind = 'reply'
          AND id IN (SELECT reply_id FROM replies WHERE comment_id = OLD.comment_id);`
            : ""
        }
        RETURN OLD;
      END $$`)
  }

  // From here on nobody writes: what is written before is there to be read, what is written later goes through the triggers.
  const tables = searchedKinds.map((kind) => SOURCES[kind].table).join(", ")
  yield* sql.unsafe(`
    DO $$ BEGIN
      IF NOT lock_shortly('${tables}', 60) THEN
        RAISE EXCEPTION 'others hold ${tables} for too long' USING ERRCODE = 'lock_not_available';
      END IF;
    END $$`)
  for (const kind of searchedKinds) {
    const { columns, differs, table } = SOURCES[kind]
    const changed = `FOR EACH ROW EXECUTE FUNCTION search_${kind}_changed()`
    if (kind !== "record")
      yield* sql.unsafe(`CREATE TRIGGER ${table}_searched_insert AFTER INSERT ON ${table} ${changed}`)
    yield* sql.unsafe(`
      CREATE TRIGGER ${table}_searched_update AFTER UPDATE OF ${columns} ON ${table}
      FOR EACH ROW WHEN (${differs}) EXECUTE FUNCTION search_${kind}_changed()`)
    yield* sql.unsafe(`
      CREATE TRIGGER ${table}_searched_delete BEFORE DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION search_${kind}_removed()`)
  }
  yield* sql.unsafe(`
    CREATE OR REPLACE FUNCTION records_added() RETURNS trigger ${asOwner} AS $$
    BEGIN
      INSERT INTO record_counts (app_id, change) SELECT app_id, count(*) FROM now WHERE deleted_on IS NULL GROUP BY app_id;
      INSERT INTO search_entries (${COLUMNS}) ${entriesOf("record", "now")};
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
    const [counted] = yield* sql.unsafe<{ few: boolean }>(
      `SELECT count(*) <= ${FEW} AS few FROM (SELECT 1 FROM ${SOURCES[kind].table} LIMIT ${FEW + 1}) AS counted`
    )
    if (counted?.few !== true) continue
    yield* sql.unsafe(entriesBehind(kind, 0, FEW))
    yield* sql`
      INSERT INTO installation (name, value)
      VALUES (${`later/${backfillOf(kind)}`}, ${JSON.stringify({ after: 0, rows: 0, done: true })})`
  }
})
