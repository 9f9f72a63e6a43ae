// The statements of record writes: each carries a whole batch, its revisions, links and outbox rows in one round trip.
import { Effect, Schema } from "effect"
import type { Cells } from "../../../ground/primitives/Cell.ts"
import { rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { currentTraceparent, type Traceparent } from "../../../ground/telemetry/traceContext.ts"
import type { Supposition } from "../../accounts/suppositions.ts"
import type { RecordPreview } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { RecordRow, type Write } from "../model/RecordRow.ts"
import { changeGiven, changeParts } from "./changeParts.ts"
import type { Delta, Link } from "./fieldInputs.ts"
import { pointedStatements } from "./pointedStatements.ts"
import type { ChangedRow } from "./recordChange.ts"
import { trashStatements } from "./trashStatements.ts"
import { makeWriteParts, ofWrite } from "./writeParts.ts"

export interface NewRow {
  readonly cells: Cells
  readonly title: string | null
  readonly delta: Delta
  readonly changed: ReadonlyArray<number>
  readonly links: ReadonlyArray<Link>
  readonly files: ReadonlyArray<Link>
  /** What it points to, as that was found. */
  readonly pointed: ReadonlyArray<RecordPreview>
}

/** A record to be made, of one app with others, which may come from different writes. */
export interface NewRecord extends NewRow {
  readonly app_record_id: number
  readonly created_on: Date
  readonly write: Write
}

const json = JSON.stringify

const LockedRecord = Schema.Struct({ ...RecordRow.fields, version: Schema.Int })

export const CreatedRecord = Schema.Struct({
  record_id: Schema.Int,
  app_record_id: Schema.Int,
  title: Schema.NullOr(Schema.String),
  org_id: Schema.Int
})

export type CreatedRecord = typeof CreatedRecord.Type

const SpentFile = Schema.Struct({ file_id: Schema.Int, temporary_id: Schema.String })

export const makeStatements = Effect.map(Sql, (sql) => {
  const { idList, outboxColumns } = makeWriteParts(sql)
  const pointing = pointedStatements(sql)
  const columns = sql.literal(
    "r.record_id, r.app_id, r.org_id, r.app_record_id, r.title, r.revision, r.cells, r.comment_count, " +
      "r.created_on, r.created_by, r.last_modified_on, r.last_modified_by, r.deleted_on"
  )
  /**
   * Locks app, then records in id order: the same order everywhere, so that writers never wait in a ring.
   * @param how `FOR UPDATE`: nobody comes to point to them meanwhile
   */
  const lock = (appId: number, ids: ReadonlyArray<number>, how: "FOR UPDATE" | "FOR NO KEY UPDATE") =>
    rowsOf(LockedRecord)(sql`
      WITH a AS MATERIALIZED (SELECT app_id, version FROM apps WHERE app_id = ${appId} FOR KEY SHARE)
      SELECT ${columns}, a.version FROM a JOIN records r ON r.app_id = a.app_id
      WHERE r.record_id = ${idList(ids)} ORDER BY r.record_id ${sql.literal(how)} OF r`)

  /**
   * No rows: the app has another version by now, or is gone, or what they point to is, or whoever makes them is not who was supposed. A title
   * of the record's number is made here.
   * @param drawing the numbers as well: those of the records count from what the app has had
   */
  const create = (
    { app_id, version, titleField }: AppDefinition,
    records: ReadonlyArray<NewRecord>,
    drawing = false,
    supposition?: Supposition
  ) => {
    const numbered = titleField === undefined ? undefined : typeOf(titleField).numberedTitle?.(titleField)
    const rowsIn = (around: Traceparent) =>
      records.map(({ app_record_id: number, pointed: _, write, ...row }) => ({
        ...row,
        number,
        ...ofWrite(write, around)
      }))
    const pointed = pointing.held(
      app_id,
      records.flatMap((record) => record.pointed)
    )
    const base = drawing
      ? sql`UPDATE app_counters n SET last_app_record_id = n.last_app_record_id + ${records.length}::int FROM app
          WHERE n.app_id = app.app_id RETURNING n.last_app_record_id - ${records.length}::int AS base`
      : sql`SELECT 0 AS base`
    const inOrderOf = (column: string) => sql.literal(records.length > 1 ? ` ORDER BY ${column}` : "")
    const links = (table: string, columns: string, of: "links" | "files") =>
      records.some((record) => record[of].length > 0)
        ? sql.literal(`, ${of} AS (
        INSERT INTO ${table} (${columns})
        SELECT record_id, (k->>'field_id')::bigint, (k->>'target_id')::bigint
        FROM r JOIN i USING (app_record_id), jsonb_array_elements(i.${of}) k
      )`)
        : sql``
    return Effect.flatMap(currentTraceparent, (trace) =>
      rowsOf(CreatedRecord)(sql`
      WITH ${supposition === undefined ? sql`` : sql`sure AS MATERIALIZED (${supposition.holds}), `}${pointed?.parts ?? sql``}app AS MATERIALIZED (
        SELECT app_id, org_id, item_name FROM apps
        WHERE app_id = ${app_id} AND version = ${version}${sql.literal(supposition === undefined ? "" : " AND EXISTS (SELECT 1 FROM sure)")}${pointed?.holds ?? sql``}
        FOR KEY SHARE
      ), n AS (${base}), i AS MATERIALIZED (
        SELECT n.base + x.number AS app_record_id, x.*
        FROM n, jsonb_to_recordset(${json(rowsIn(trace))}::jsonb) AS x (number bigint, created_on timestamptz, title text, cells jsonb,
          delta jsonb, changed jsonb, links jsonb, files jsonb, author jsonb, depth int, cause jsonb, traceparent text, hook boolean, workflow boolean, silent boolean)
      ), r AS (
        INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
        SELECT app.app_id, app.org_id, i.app_record_id,
          CASE WHEN ${numbered === undefined} THEN i.title
               ELSE ${numbered?.prefix ?? ""}::text || lpad(i.app_record_id::text,
                 greatest(${numbered?.digits ?? 1}::int, length(i.app_record_id::text)), '0') END,
          i.cells, i.created_on, i.author
        FROM app, i${inOrderOf("i.app_record_id")}
        RETURNING record_id, app_record_id, title, org_id
      ), v AS (
        INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta)
        SELECT record_id, 0, 'creation', i.created_on, i.author, i.delta FROM r JOIN i USING (app_record_id)
      )${links("record_links", "record_id, field_id, target_id", "links")}${links("file_links", "record_id, field_id, file_id", "files")}, o AS (
        INSERT INTO outbox (${outboxColumns})
        SELECT 'record.create', app.org_id, app.app_id, r.record_id, i.hook, i.workflow, i.silent, i.depth, nullif(i.cause, 'null'),
          i.traceparent, jsonb_build_object('revision', 0, 'author', i.author, 'cells', i.cells, 'changed', i.changed,
            'title', coalesce(r.title, app.item_name || ' #' || r.app_record_id)), i.created_on
        FROM app, r JOIN i USING (app_record_id)${inOrderOf("r.app_record_id")}
      )
      SELECT record_id, app_record_id, title, org_id FROM r${inOrderOf("app_record_id")}`)
    )
  }

  const update = (appId: number, orgId: number, changed: ReadonlyArray<ChangedRow>, now: Date) => {
    const { cells, columns, event, links } = changeParts(sql, { app_id: appId, org_id: orgId }, now)
    return Effect.flatMap(
      currentTraceparent,
      (trace) => sql`
      WITH i AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${json(changed.map((one) => changeGiven(one, trace)))}::jsonb) AS x (${columns})
      ), ${cells}, ${links}
      ${event}`
    )
  }

  /** False: the app has another version by now, or is gone. */
  const holdVersion = ({ app_id, version }: AppDefinition) =>
    Effect.map(
      sql`SELECT 1 FROM apps WHERE app_id = ${app_id} AND version = ${version} FOR KEY SHARE`,
      (rows) => rows.length > 0
    )

  /** Spends temporary file ids: what is missing was attached by another write. */
  const attach = (ids: ReadonlyArray<string>, now: Date) =>
    rowsOf(SpentFile)(sql`
      WITH t AS (SELECT file_id, temporary_id FROM files WHERE temporary_id = ANY(${[...ids]}::text[]) FOR UPDATE)
      UPDATE files f SET temporary_id = NULL, attached_on = ${now} FROM t WHERE f.file_id = t.file_id
      RETURNING f.file_id, t.temporary_id`)

  const { hold, settle } = pointing
  return { columns, idList, lock, create, update, hold, settle, holdVersion, attach, ...trashStatements(sql) }
})
