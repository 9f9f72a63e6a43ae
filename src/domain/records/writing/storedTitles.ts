// Keeps stored titles true when something else than the record itself changes them (developer-api.md 4.1): the definition,
// the name of a user, or the title of a record that a relation field shows as the title, also one that follows its own definition. No revision, no event: the
// record did not change.
import { Effect, Option, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Cells } from "../../../platform/primitives/Cell.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { idListOf } from "../../../platform/sql/idList.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { noMentions } from "../fields/model/Field.ts"
import { fieldTypes, typeOf } from "../fields/registry.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { Lookups } from "../model/Lookups.ts"
import { titleOf } from "../model/recordTitle.ts"

const CHUNK = 1000
/** Titles made of titles made of titles: further away they wait for the record's own next write. */
const MAX_DEPTH = 5

const USER_FIELDS = Object.values(fieldTypes).flatMap(({ kind, tag, titleCapable }) =>
  kind === "users" && titleCapable ? [tag] : []
)

const TitledRow = Schema.Struct({
  record_id: Schema.Int,
  app_record_id: Schema.Int,
  cells: jsonb<Cells>()
})
type TitledRow = typeof TitledRow.Type

const RecordId = Schema.Struct({ record_id: Schema.Int })

const PointingField = Schema.Struct({ field_id: Schema.Int, app_id: Schema.Int })

/** Asked before titles are written, with their number: fails if the caller leaves them to another transaction. */
export type AllowTitles<E> = (count: number) => Effect.Effect<void, E>

/** Iterates over records in id order, a batch at a time: each batch begins after the last one. */
const inPieces = Effect.fnUntraced(function* <A extends typeof RecordId.Type, E, R>(
  read: (after: number) => Effect.Effect<ReadonlyArray<A>, E, R>,
  each: (rows: ReadonlyArray<A>) => Effect.Effect<void, E, R>
) {
  let lastId = 0
  for (;;) {
    const rows = yield* read(lastId)
    if (rows.length === 0) return
    yield* each(rows)
    lastId = rows.at(-1)!.record_id
  }
})

export const makeStoredTitles = Effect.gen(function* () {
  const sql = yield* Sql
  const definitions = yield* Definitions
  const lookups = yield* Lookups
  const idList = idListOf(sql)

  /** Updates titles. Returns the ids of records whose title has changed. @param without app whose records count as deleted */
  const retitleRows = Effect.fnUntraced(function* (
    definition: AppDefinition,
    rows: ReadonlyArray<TitledRow>,
    without?: number
  ) {
    const { titleField } = definition
    const mentions = noMentions()
    if (titleField !== undefined) {
      for (const { cells } of rows) typeOf(titleField).mention?.(cells[titleField.field_id] ?? [], mentions)
    }
    const lookupFacts = yield* lookups.forReading(definition.org_id, mentions)
    const remainingRecords = () => new Map([...lookupFacts.records].filter(([, { app_id }]) => app_id !== without))
    const facts = without === undefined ? lookupFacts : { ...lookupFacts, records: remainingRecords() }
    const titles = rows.map((row) => ({
      record_id: row.record_id,
      title: titleOf(definition, row.cells, row, facts)
    }))
    const changed = yield* rowsOf(RecordId)(sql`
      UPDATE records r SET title = x.title
      FROM jsonb_to_recordset(${JSON.stringify(titles)}::jsonb) AS x (record_id bigint, title text)
      WHERE r.record_id = x.record_id AND r.title IS DISTINCT FROM x.title
      RETURNING r.record_id`)
    return changed.map((row) => row.record_id)
  })

  /** Cells that a title is made of; the record's number is read separately. */
  const titleCells = ({ titleField }: AppDefinition) => {
    if (titleField === undefined) return sql`'{}'::jsonb`
    const key = String(titleField.field_id)
    return sql`jsonb_build_object(${key}::text, cells->${key}::text)`
  }

  /** Batch of the records that point to the targets by the title field, in id order, locked until the transaction ends. */
  const pointing = (definition: AppDefinition, targets: Statement.Fragment, after: number) =>
    rowsOf(TitledRow)(sql`
      SELECT record_id, app_record_id, ${titleCells(definition)} AS cells FROM records
      WHERE record_id = ANY(ARRAY(
        SELECT DISTINCT record_id FROM record_links
        WHERE field_id = ${definition.titleField!.field_id} AND target_id = ${targets} AND record_id > ${after}
        ORDER BY record_id LIMIT ${CHUNK}::int))
      ORDER BY record_id FOR UPDATE`)

  /** Locks and returns the app definition whose titles come from the field; undefined if the field gives no titles. */
  const titledBy = Effect.fnUntraced(function* ({ app_id, field_id }: typeof PointingField.Type) {
    const gives = Effect.map(
      definitions.read(app_id),
      Option.filter(({ titleField }) => titleField?.field_id === field_id)
    )
    if (Option.isNone(yield* gives)) return undefined
    yield* sql`SELECT 1 FROM apps WHERE app_id = ${app_id} FOR KEY SHARE`
    return Option.getOrUndefined(yield* gives)
  })

  /** The records that show the targets (`ANY(…)` of their ids) in their titles, in the order of their ids. */
  const retitleTo = Effect.fnUntraced(function* <E = never>(
    targets: Statement.Fragment,
    changed: (ids: ReadonlyArray<number>) => Effect.Effect<void, SqlError>,
    { allow = () => Effect.void, without }: { readonly allow?: AllowTitles<E>; readonly without?: number } = {}
  ) {
    const fields = yield* rowsOf(PointingField)(sql`
      SELECT DISTINCT l.field_id, f.app_id FROM record_links l JOIN fields f USING (field_id) WHERE l.target_id = ${targets}`)
    for (const field of fields) {
      const definition = field.app_id === without ? undefined : yield* titledBy(field)
      if (definition === undefined) continue
      yield* inPieces(
        (after) => pointing(definition, targets, after),
        (rows) => Effect.andThen(allow(rows.length), Effect.flatMap(retitleRows(definition, rows, without), changed))
      )
    }
  })

  /** The records that show these ones in their titles. */
  const retitlePointing = Effect.fnUntraced(function* <E = never>(ids: ReadonlyArray<number>, allow?: AllowTitles<E>) {
    let targets = ids
    for (let depth = 0; depth < MAX_DEPTH && targets.length > 0; depth++) {
      const retitledIds: Array<number> = []
      const note = (changed: ReadonlyArray<number>) => Effect.sync(() => void retitledIds.push(...changed))
      yield* retitleTo(idList(targets), note, allow === undefined ? {} : { allow })
      targets = retitledIds
    }
  })

  /**
   * Updates the titles of all records of an app after its definition changed, or of those that meet a condition, and titles that show them.
   * A change of the definition has locked the app; otherwise `held` locks the records, so that no write comes to point to them meanwhile.
   */
  const retitleApp = (definition: AppDefinition, which = sql`true`, held = sql``) =>
    inPieces(
      (after) =>
        rowsOf(TitledRow)(sql`
          SELECT record_id, app_record_id, ${titleCells(definition)} AS cells FROM records
          WHERE app_id = ${definition.app_id} AND record_id > ${after} AND ${which} ORDER BY record_id LIMIT ${CHUNK}::int ${held}`),
      (rows) => Effect.flatMap(retitleRows(definition, rows), (ids) => retitlePointing(ids))
    )

  /** Updates titles that contain the name of a renamed user, and titles that show those records. */
  const retitleNaming = Effect.fnUntraced(function* (orgId: number, userId: number) {
    const fields = yield* rowsOf(PointingField)(sql`
      SELECT f.field_id, f.app_id FROM fields f JOIN apps a USING (app_id)
      WHERE a.org_id = ${orgId} AND f.field_type = ANY(${USER_FIELDS}::text[]) ORDER BY f.app_id, f.field_id`)
    for (const field of fields) {
      const definition = yield* titledBy(field)
      if (definition === undefined) continue
      const naming = sql`cells->${String(field.field_id)}::text @> ${String(userId)}::jsonb`
      yield* retitleApp(definition, naming, sql`FOR UPDATE`)
    }
  })

  /** Updates titles that show an app's untitled records, whose shown title is their number, after the app renamed them. */
  const retitleNumbered = (appId: number) =>
    inPieces(
      (after) =>
        rowsOf(RecordId)(sql`
          SELECT record_id FROM records r WHERE app_id = ${appId} AND title IS NULL AND record_id > ${after}
            AND EXISTS (SELECT 1 FROM record_links l WHERE l.target_id = r.record_id)
          ORDER BY record_id LIMIT ${CHUNK}::int`),
      (rows) => retitlePointing(rows.map((row) => row.record_id))
    )

  /** Updates titles that show records of an app about to be deleted, as if these did not exist. */
  const retitleWithout = (appId: number) =>
    retitleTo(sql`ANY(SELECT record_id FROM records WHERE app_id = ${appId})`, (ids) => retitlePointing(ids), {
      without: appId
    })

  return { retitleApp, retitleNaming, retitleNumbered, retitlePointing, retitleWithout }
})
