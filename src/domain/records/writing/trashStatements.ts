// Statements that put records into the trash, restore them and announce destroyed ones (developer-api.md 4.2, 4.5): each writes the revisions and
// the events of many records.
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Cells } from "../../../platform/primitives/Cell.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { currentTraceparent } from "../../../platform/telemetry/traceContext.ts"
import type { Write, WriteEffects } from "../model/RecordRow.ts"
import { makeWriteParts } from "./writeParts.ts"

export interface TurnedRow {
  readonly record_id: number
  readonly revision: number
  readonly cells: Cells
  readonly shown: string
}

const json = JSON.stringify

export const trashStatements = (sql: Sql) => {
  const { effects, outboxColumns } = makeWriteParts(sql)

  /** Trash and restore: a revision without a delta, and an event. */
  const trashOrRestore = (
    type: "record.delete" | "record.restore",
    appId: number,
    orgId: number,
    write: Write,
    rows: ReadonlyArray<TurnedRow>,
    now: Date
  ) => {
    const author = json(write.author)
    const deleted = type === "record.delete"
    return Effect.flatMap(
      currentTraceparent,
      (trace) => sql`
      WITH i AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${json(rows)}::jsonb) AS x (record_id bigint, revision int, cells jsonb, shown text)
      ), u AS (
        UPDATE records r SET revision = i.revision, deleted_on = ${deleted ? now : null}::timestamptz,
          deleted_by = ${deleted ? author : null}::jsonb
        FROM i WHERE r.record_id = i.record_id
      ), v AS (
        INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta)
        SELECT record_id, revision, ${deleted ? "deletion" : "restore"}::text, ${now}, ${author}::jsonb, '{}' FROM i
      )
      INSERT INTO outbox (${outboxColumns})
      SELECT ${type}::text, ${orgId}::bigint, ${appId}::bigint, record_id, ${effects(write, trace)},
        jsonb_build_object('revision', revision, 'author', ${author}::jsonb, 'cells', cells, 'title', shown), ${now}
      FROM i ORDER BY record_id`
    )
  }

  /** The events of live records that are destroyed without passing through the trash. */
  const announceDestroyed = (appId: number, orgId: number, write: Write, rows: ReadonlyArray<TurnedRow>, now: Date) =>
    Effect.flatMap(
      currentTraceparent,
      (trace) => sql`
      INSERT INTO outbox (${outboxColumns})
      SELECT 'record.delete', ${orgId}::bigint, ${appId}::bigint, record_id, ${effects(write, trace)},
        jsonb_build_object('revision', revision, 'author', ${json(write.author)}::jsonb, 'cells', cells, 'title', shown,
          'permanent', true), ${now}
      FROM jsonb_to_recordset(${json(rows)}::jsonb) AS x (record_id bigint, revision int, cells jsonb, shown text)
      ORDER BY record_id`
    )

  /** Locks the records that point to the ones to be destroyed (`ANY(…)` of their ids). */
  const lockPointing = (which: Statement.Fragment) => sql`
      SELECT count(*) FROM (
        SELECT 1 FROM records WHERE record_id IN (SELECT record_id FROM record_links WHERE target_id = ${which})
        ORDER BY record_id FOR UPDATE) AS held`

  /**
   * Records (`ANY(…)` of their ids) with everything below them, once those that point to them are locked. Values that point to them go from
   * the cells of others, without a revision; what is calculated of them there is noted for the background pass (11.3).
   */
  const destroy = (which: Statement.Fragment, effects: WriteEffects | null = null) => sql`
      WITH p AS (
        SELECT record_id, field_id, jsonb_agg(target_id) AS gone FROM record_links
        WHERE target_id = ${which} AND NOT record_id = ${which} GROUP BY record_id, field_id
      ), rest AS (
        SELECT p.record_id, p.field_id::text AS key, (
          SELECT jsonb_agg(e ORDER BY ord) FROM jsonb_array_elements(r.cells->p.field_id::text) WITH ORDINALITY AS t (e, ord)
          WHERE NOT p.gone @> e) AS cell
        FROM p JOIN records r USING (record_id) WHERE r.cells ? p.field_id::text
      ), c AS (
        SELECT record_id, coalesce(jsonb_object_agg(key, cell) FILTER (WHERE cell IS NOT NULL), '{}') AS kept,
          coalesce(array_agg(key) FILTER (WHERE cell IS NULL), '{}') AS emptied
        FROM rest GROUP BY record_id
      ), s AS (
        UPDATE records r SET cells = (r.cells || c.kept) - c.emptied FROM c WHERE r.record_id = c.record_id
      ), n AS (
        INSERT INTO calculation_changes (org_id, app_id, record_id, effects, due_on)
        SELECT DISTINCT r.org_id, f.app_id, r.record_id, ${effects === null ? null : json(effects)}::jsonb, 'epoch'::timestamptz
        FROM p JOIN calculation_relations f ON f.relation_id = p.field_id JOIN records r USING (record_id)
      ), k AS (DELETE FROM record_links WHERE target_id = ${which} OR record_id = ${which}),
      f AS (DELETE FROM file_links WHERE record_id = ${which}),
      m AS (DELETE FROM comments WHERE record_id = ${which}),
      v AS (DELETE FROM revisions WHERE record_id = ${which})
      DELETE FROM records WHERE record_id = ${which}`

  return { turn: trashOrRestore, announceDestroyed, lockPointing, destroy }
}
