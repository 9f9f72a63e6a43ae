// Tables whose rows have entries in the index of search (developer-api.md 11.1), and the statements and triggers that keep these.

const COLUMNS = "org_id, kind, id, app_id, record_id, line"

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
}

const commentLine = "search_line(E'\\x01' || search_comment_text(t.value))"

const SOURCES = {
  record: {
    table: "records",
    key: "record_id",
    org: (row) => `${row}.org_id`,
    entry: `t.org_id, 'record', t.record_id, t.app_id, t.record_id, search_record_line(t.title, t.app_record_id, t.cells,
      ARRAY(SELECT f.field_id::text FROM fields f WHERE f.app_id = t.app_id AND f.field_type = 'multi_text' ORDER BY f.field_id))`,
    joins: "",
    where: "t.deleted_on IS NULL"
  },
  comment: {
    table: "comments",
    key: "comment_id",
    org: (row) => `(SELECT org_id FROM apps WHERE app_id = ${row}.app_id)`,
    entry: `a.org_id, 'comment', t.comment_id, t.app_id, t.record_id, ${commentLine}`,
    joins: "JOIN apps a ON a.app_id = t.app_id",
    where: "true"
  },
  reply: {
    table: "replies",
    key: "reply_id",
    org: (row) => `(SELECT a.org_id FROM comments c JOIN apps a USING (app_id) WHERE c.comment_id = ${row}.comment_id)`,
    entry: `a.org_id, 'reply', t.reply_id, c.app_id, c.record_id, ${commentLine}`,
    joins: "JOIN comments c ON c.comment_id = t.comment_id JOIN apps a ON a.app_id = c.app_id",
    where: "true"
  },
  automation: {
    table: "automations",
    key: "automation_id",
    org: (row) => `${row}.org_id`,
    entry: `t.org_id, 'automation', t.automation_id, t.app_id, NULL::bigint,
      search_line(t.name || E'\\x01' || coalesce(t.description, ''))`,
    joins: "",
    where: "t.deleted_on IS NULL"
  },
  app: {
    table: "apps",
    key: "app_id",
    org: (row) => `${row}.org_id`,
    entry: `t.org_id, 'app', t.app_id, t.app_id, NULL::bigint,
      search_line(t.name || E'\\x01' || concat_ws(E'\\x01', t.item_name, t.description))`,
    joins: "",
    where: "true"
  }
} as const satisfies Record<string, Source>
export type SearchedKind = keyof typeof SOURCES

export const searchedKinds = Object.keys(SOURCES) as ReadonlyArray<SearchedKind>

export const searchedTable = (kind: SearchedKind): string => SOURCES[kind].table

const entriesOf = (kind: SearchedKind, rows: string) => {
  const { entry, joins, where } = SOURCES[kind]
  return `SELECT ${entry} FROM ${rows} AS t ${joins} WHERE ${where}`
}

/** Adds the entries of new records, the rows `now` of a trigger, that their statement has not added itself. */
export const addRecordEntries = `INSERT INTO search_entries (${COLUMNS}) ${entriesOf("record", "now")} AND NOT EXISTS (
  SELECT FROM search_entries e WHERE e.org_id = t.org_id AND e.kind = 'record' AND e.id = t.record_id)`

/** Adds the entries that a batch of rows lacks, in the order of their ids; the rows are not changed meanwhile. */
export const entriesBehind = (kind: SearchedKind, after: number, limit: number) => {
  const { key, table } = SOURCES[kind]
  return `
    WITH taken AS MATERIALIZED (SELECT * FROM ${table} WHERE ${key} > ${after} ORDER BY ${key} LIMIT ${limit} FOR SHARE),
    added AS (INSERT INTO search_entries (${COLUMNS}) ${entriesOf(kind, "taken")} ON CONFLICT DO NOTHING)
    SELECT max(${key})::text AS last, count(*)::int AS rows FROM taken`
}

/** Makes the entries of an app's next records anew, in the order of their ids; the records are not changed meanwhile. */
export const recordEntriesAnew = (appId: number, after: number, limit: number) => `
    WITH taken AS MATERIALIZED (
      SELECT * FROM records WHERE app_id = ${appId} AND record_id > ${after} ORDER BY record_id LIMIT ${limit} FOR SHARE),
    renewed AS (
      INSERT INTO search_entries AS e (${COLUMNS}) ${entriesOf("record", "taken")}
      ON CONFLICT (org_id, kind, id) DO UPDATE SET app_id = excluded.app_id, line = excluded.line WHERE e.line <> excluded.line
      RETURNING 1)
    SELECT max(record_id)::text AS last, count(*)::int AS rows, (SELECT count(*)::int FROM renewed) AS renewed FROM taken`

/** Name of the back-fill of a kind, in the list of later changes. */
export const backfillOf = (kind: SearchedKind) => `search_entries.${kind}`

/** Keeps the entry of a row that has been added or changed. */
export const entryTrigger = (kind: SearchedKind) => `
  BEGIN
    ${entriesOf(kind, "(SELECT NEW.*)").replace(" FROM ", " INTO entry FROM ")};
    IF NOT FOUND THEN
      DELETE FROM search_entries WHERE org_id = ${SOURCES[kind].org("NEW")} AND kind = '${kind}' AND id = NEW.${SOURCES[kind].key};
      RETURN NULL;
    END IF;
    UPDATE search_entries e SET app_id = entry.app_id, line = entry.line
    WHERE e.org_id = entry.org_id AND e.kind = entry.kind AND e.id = entry.id AND (e.app_id <> entry.app_id OR e.line <> entry.line);
    IF NOT FOUND THEN
      INSERT INTO search_entries (${COLUMNS})
      VALUES (entry.org_id, entry.kind, entry.id, entry.app_id, entry.record_id, entry.line) ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
  END`
