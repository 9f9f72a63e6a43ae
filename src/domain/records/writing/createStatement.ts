// The statement that makes records with their revisions, links and outbox rows (developer-api.md 4.3): its text is put together once for each of
// its shapes.
import { Effect, Schema } from "effect"
import type { Cells } from "../../../platform/primitives/Cell.ts"
import { compiledOnce, slotsOf } from "../../../platform/sql/compiledOnce.ts"
import { sizesOf } from "../../../platform/sql/listParameters.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { currentTraceparent } from "../../../platform/telemetry/traceContext.ts"
import { searchLine } from "../../../platform/text/searchLine.ts"
import type { RecordPreview } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import type { Write } from "../model/RecordRow.ts"
import type { Delta, Link } from "./fieldInputs.ts"
import {
  type NamedUser,
  type NamedValues,
  namedOf,
  type ReferencedCounts,
  type ReferencedValues,
  referencedOf,
  referenceLockStatements
} from "./referenceLocks.ts"
import { makeWriteParts, ofWrite } from "./writeParts.ts"

export interface NewRow {
  readonly cells: Cells
  readonly title: string | null
  readonly delta: Delta
  readonly changed: ReadonlyArray<number>
  readonly links: ReadonlyArray<Link>
  readonly files: ReadonlyArray<Link>
  /** Records that it points to, as the lookup found them. */
  readonly pointed: ReadonlyArray<RecordPreview>
  /** Users whose names form its title, as the lookup found them. */
  readonly named: ReadonlyArray<NamedUser>
}

/** A record to be made, of one app with others, which may come from different writes. */
export interface NewRecord extends NewRow {
  readonly app_record_id: number
  readonly created_on: Date
  readonly write: Write
}

export const CreatedRecord = Schema.Struct({
  record_id: Schema.Int,
  app_record_id: Schema.Int,
  title: Schema.NullOr(Schema.String),
  org_id: Schema.Int
})

export type CreatedRecord = typeof CreatedRecord.Type

interface CreateValues extends Partial<ReferencedValues & NamedValues> {
  readonly app_id: number
  readonly version: number
  readonly count: number
  /** Records as JSON. */
  readonly records: string
  /** False: titles are made of the records' numbers, as `prefix` and `digits` say. */
  readonly titled: boolean
  readonly prefix: string
  readonly digits: number
}

const slots = slotsOf<Required<CreateValues>>()

/** Properties that decide the text of the statement. */
interface Shape {
  readonly pointed: ReferencedCounts | undefined
  /** Number of users. */
  readonly named: number | undefined
  readonly drawing: boolean
  readonly several: boolean
  readonly links: boolean
  readonly files: boolean
}

const nameOf = ({ drawing, files, links, named, pointed, several }: Shape) => {
  const sizes = pointed === undefined ? "" : sizesOf(pointed.apps, pointed.records)
  const names = named === undefined ? "" : sizesOf(named)
  if (sizes === undefined || names === undefined) return undefined
  return `${drawing} ${several} ${links} ${files} ${sizes}, ${names}`
}

export const makeCreate = (sql: Sql) => {
  const { outboxColumns } = makeWriteParts(sql)
  const { held, heldNames } = referenceLockStatements(sql)
  const nothing = sql``

  const statement = ({ drawing, files, links, named, pointed, several }: Shape) => {
    const holding = pointed === undefined ? undefined : held(pointed, slots)
    const naming = named === undefined ? undefined : heldNames(named, slots)
    const base = drawing
      ? sql`UPDATE app_counters n SET last_app_record_id = n.last_app_record_id + ${slots.count}::int FROM app
          WHERE n.app_id = app.app_id RETURNING n.last_app_record_id - ${slots.count}::int AS base`
      : sql`SELECT 0 AS base`
    const inOrderOf = (column: string) => sql.literal(several ? ` ORDER BY ${column}` : "")
    const linking = (table: string, columns: string, of: "links" | "files") =>
      sql.literal(`, ${of} AS (
        INSERT INTO ${table} (${columns})
        SELECT record_id, (k->>'field_id')::bigint, (k->>'target_id')::bigint
        FROM r JOIN i USING (app_record_id), jsonb_array_elements(i.${of}) k
      )`)
    return sql`
      WITH ${holding?.parts ?? nothing}${naming?.parts ?? nothing}app AS MATERIALIZED (
        SELECT app_id, org_id, item_name FROM apps
        WHERE app_id = ${slots.app_id} AND version = ${slots.version}${holding?.holds ?? nothing}${naming?.holds ?? nothing}
        FOR KEY SHARE
      ), n AS (${base}), i AS MATERIALIZED (
        SELECT n.base + x.number AS app_record_id, x.*
        FROM n, jsonb_to_recordset(${slots.records}::jsonb) AS x (number bigint, created_on timestamptz, title text, cells jsonb,
          delta jsonb, changed jsonb, links jsonb, files jsonb, line text, author jsonb, depth int, cause jsonb, traceparent text, hook boolean, workflow boolean, silent boolean)
      ), r AS (
        INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
        SELECT app.app_id, app.org_id, i.app_record_id,
          CASE WHEN ${slots.titled} THEN i.title
               ELSE ${slots.prefix}::text || lpad(i.app_record_id::text, greatest(${slots.digits}::int, length(i.app_record_id::text)), '0') END,
          i.cells, i.created_on, i.author
        FROM app, i${inOrderOf("i.app_record_id")}
        RETURNING record_id, app_record_id, title, org_id
      ), v AS (
        INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta)
        SELECT record_id, 0, 'creation', i.created_on, i.author, i.delta FROM r JOIN i USING (app_record_id)
      ), s AS (
        INSERT INTO search_entries (org_id, kind, id, app_id, record_id, line)
        SELECT r.org_id, 'record', r.record_id, app.app_id, r.record_id, i.line FROM app, r JOIN i USING (app_record_id) WHERE i.line IS NOT NULL
      )${links ? linking("record_links", "record_id, field_id, target_id", "links") : nothing}${files ? linking("file_links", "record_id, field_id, file_id", "files") : nothing}, o AS (
        INSERT INTO outbox (${outboxColumns})
        SELECT 'record.create', app.org_id, app.app_id, r.record_id, i.hook, i.workflow, i.silent, i.depth, nullif(i.cause, 'null'),
          i.traceparent, jsonb_build_object('revision', 0, 'author', i.author, 'cells', i.cells, 'changed', i.changed,
            'title', coalesce(r.title, app.item_name || ' #' || r.app_record_id)), i.created_on
        FROM app, r JOIN i USING (app_record_id)${inOrderOf("r.app_record_id")}
      )
      SELECT record_id, app_record_id, title, org_id FROM r${inOrderOf("app_record_id")}`
  }

  const compiled = compiledOnce<CreateValues>(sql)

  /**
   * Creates records; titles made of a record's number are built here. Returns no rows if the app has another version by now, or if the app
   * or a referenced record was deleted.
   * @param drawing draws the numbers too: those of the records count from the app's last number
   */
  return (
    { app_id, htmlFields, titleField, version }: AppDefinition,
    records: ReadonlyArray<NewRecord>,
    drawing = false
  ) => {
    const numbered = titleField === undefined ? undefined : typeOf(titleField).numberedTitle?.(titleField)
    const pointed = referencedOf(
      app_id,
      records.flatMap((record) => record.pointed)
    )
    const named = namedOf(records.flatMap((record) => record.named))
    const shape: Shape = {
      pointed: pointed?.counts,
      named: named?.count,
      drawing,
      several: records.length > 1,
      links: records.some(({ links }) => links.length > 0),
      files: records.some(({ files }) => files.length > 0)
    }
    return Effect.flatMap(currentTraceparent, (trace) => {
      const rows = records.map(({ app_record_id: number, named: _, pointed: __, write, ...row }) => ({
        ...row,
        number,
        // A title that is made of the record's number is not known yet.
        line:
          numbered !== undefined || row.title === null
            ? null
            : searchLine({ title: row.title, cells: row.cells }, htmlFields),
        ...ofWrite(write, trace)
      }))
      const values: CreateValues = {
        app_id,
        version,
        count: records.length,
        records: JSON.stringify(rows),
        titled: numbered === undefined,
        prefix: numbered?.prefix ?? "",
        digits: numbered?.digits ?? 1,
        ...pointed?.values,
        ...named?.values
      }
      return rowsOf(CreatedRecord)(compiled(nameOf(shape), values, () => statement(shape)))
    })
  }
}
