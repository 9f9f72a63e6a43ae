// SQL parts that write an update of records: cells, revision, links, event. They belong to a statement that has the changes as `i`, so that
// further writes can join it.
import type { Slots } from "../../../platform/sql/compiledOnce.ts"
import { INDEXED_REVISIONS } from "../../../platform/sql/migrations/0077_search_updates.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { Traceparent } from "../../../platform/telemetry/traceContext.ts"
import type { ChangedRow } from "./recordChange.ts"
import { makeWriteParts, ofWrite } from "./writeParts.ts"

/** Row as `changeParts` reads it. @param around traceparent of the span that sends the statement */
export const changeGiven = ({ write, ...row }: ChangedRow, around: Traceparent) => ({
  ...row,
  ...ofWrite(write, around)
})

/** Tables besides records and revisions that a statement changes. A part of it that finds nothing to do takes a tenth of its time. */
export interface ChangedTables {
  readonly links: boolean
  readonly files: boolean
  readonly lines: boolean
}

const hasLinks = ({ added, removed }: ChangedRow["links"]) => added.length + removed.length > 0

export const changedTables = (rows: ReadonlyArray<ChangedRow>): ChangedTables => ({
  links: rows.some(({ links }) => hasLinks(links)),
  files: rows.some(({ files }) => hasLinks(files)),
  lines: rows.some(({ line }) => line !== null)
})

/** Parameters of the parts. */
export interface ChangeValues {
  readonly app_id: number
  readonly org_id: number
  readonly now: Date
}

export const changeParts = (sql: Sql, { app_id, now, org_id }: Slots<ChangeValues>) => {
  const linkRows = (kind: "links" | "files", side: "added" | "removed") =>
    sql`SELECT i.record_id, (k->>'field_id')::bigint AS field_id, (k->>'target_id')::bigint AS target_id
        FROM i, jsonb_array_elements(i.${sql(kind)}->${sql.literal(`'${side}'`)}) k`
  const linkChanges = (kind: "links" | "files", table: string, target: string) =>
    sql`, ${sql(`removed_${kind}`)} AS (
        DELETE FROM ${sql(table)} l USING (${linkRows(kind, "removed")}) k
        WHERE l.record_id = k.record_id AND l.field_id = k.field_id AND l.${sql(target)} = k.target_id
      ), ${sql(`added_${kind}`)} AS (
        INSERT INTO ${sql(table)} (record_id, field_id, ${sql(target)}) ${linkRows(kind, "added")}
      )`
  const searchEntries = sql`s AS (
        INSERT INTO search_entries AS e (org_id, kind, id, app_id, record_id, line)
        SELECT org_id, 'record', record_id, app_id, record_id, line FROM u WHERE line IS NOT NULL AND deleted_on IS NULL
        ON CONFLICT (org_id, kind, id) DO UPDATE SET line = excluded.line WHERE e.line <> excluded.line
      ), `
  /**
   * Updates the records with their search entries, and adds their revisions. The trigger that keeps entries leaves out what the setting
   * lists (migration 0077); it is set before the first record, since the update joins it.
   */
  const cellsWith = (lines: boolean) =>
    sql`indexed_revisions AS MATERIALIZED (
        SELECT set_config('${sql.literal(INDEXED_REVISIONS)}', coalesce(string_agg(' ' || record_id || '/' || revision || ' ', ''), ''), true) AS list
        FROM i WHERE has_line
      ), u AS (
        UPDATE records r SET cells = i.cells, title = i.title, revision = i.revision,
          last_modified_on = ${now}, last_modified_by = i.author
        FROM i, indexed_revisions x WHERE r.record_id = i.record_id AND x.list IS NOT NULL
        RETURNING r.org_id, r.record_id, r.app_id, r.deleted_on, i.line
      ), ${lines ? searchEntries : sql``}v AS (
        INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta)
        SELECT record_id, revision, 'update', ${now}, author, delta FROM i
      )`
  return {
    columns: sql.literal(
      "record_id bigint, revision int, cells jsonb, previous jsonb, former jsonb, title text, shown text, delta jsonb, changed jsonb, links jsonb, " +
        "files jsonb, line text, has_line boolean, author jsonb, depth int, cause jsonb, traceparent text, hook boolean, workflow boolean, silent boolean"
    ),
    cells: cellsWith(true),
    /** Updates the records with all that changes with them, and adds their revisions. */
    records: ({ files, lines, links }: ChangedTables) =>
      sql`${cellsWith(lines)}${links ? linkChanges("links", "record_links", "target_id") : sql``}${files ? linkChanges("files", "file_links", "file_id") : sql``}`,
    event: sql`INSERT INTO outbox (${makeWriteParts(sql).outboxColumns})
      SELECT 'record.update', ${org_id}::bigint, ${app_id}::bigint, record_id, hook, workflow, silent, depth,
        nullif(cause, 'null'), traceparent, jsonb_build_object('revision', revision, 'author', author, 'cells', cells, 'previous', previous,
          'former', former, 'changed', changed, 'title', shown), ${now}
      FROM i ORDER BY record_id`
  }
}
