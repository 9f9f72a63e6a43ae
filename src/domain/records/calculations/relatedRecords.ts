// Looks up the related records that calculations read (developer-api.md 11.3), all of a batch in one statement, so that the results of a
// record come from one reading. Live records of the organization; of each, only the cells that some expression names.
import { Effect, Schema } from "effect"
import { fail, type RecordValue, type Value } from "../../../platform/expressions/Value.ts"
import type { Cells } from "../../../platform/primitives/Cell.ts"
import { formatDateTime, formatDateTimeOrNull } from "../../../platform/primitives/dates.ts"
import { inSlices } from "../../../platform/primitives/slices.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { idListOf } from "../../../platform/sql/idList.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { type AppDefinition, cellOf } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { noneRelated, type RelatedRecords } from "./calculate.ts"
import { readsRelated } from "./calculationPlan.ts"
import { cellValue, isReadable } from "./calculationValues.ts"
import { followedRelations, READ_AT_MOST, RELATED_AT_MOST, readRelations, readTogether } from "./followedRelations.ts"

/** Bytes that the expressions of an app may read of a related record: its short cells before its long ones. */
const BYTES_AT_MOST = 10_000

const RelatedRow = Schema.Struct({
  record_id: Schema.Int,
  app_id: Schema.Int,
  app_record_id: Schema.Int,
  created_on: Schema.Date,
  last_modified_on: Schema.NullOr(Schema.Date),
  cells: jsonb<Cells>(),
  /** Keys of cells that are too long, beside those that are read. */
  long: Schema.Array(Schema.String)
})
type RelatedRow = typeof RelatedRow.Type

const valueOf = (row: RelatedRow, definition: AppDefinition, members: ReadonlySet<string>): RecordValue => {
  const facts = {
    app_record_id: row.app_record_id,
    created_on: formatDateTime(row.created_on),
    created_by: { type: "user" as const, user_id: 0 },
    last_modified_on: formatDateTimeOrNull(row.last_modified_on),
    last_modified_by: null
  }
  const read = (name: string): Value => {
    const field = definition.bySlug.get(name)
    if (field === undefined) return null
    if (!isReadable(field)) return fail(`${name}: a ${field.field_type} field cannot be read`)
    if (row.long.includes(String(field.field_id)))
      return fail(`${name}: more than ${BYTES_AT_MOST} bytes would be read of a related record`)
    return cellValue(cellOf(field, row.cells, facts), field)
  }
  const values = new Map<string, Value>()
  return {
    field: (name) => {
      if (!members.has(name)) return fail(`${name}: a field of a related record is named as it is written`)
      const cachedValue = values.get(name)
      if (cachedValue !== undefined) return cachedValue
      const value = read(name)
      values.set(name, value)
      return value
    }
  }
}

export const makeRelatedRecords = Effect.gen(function* () {
  const sql = yield* Sql
  const definitions = yield* Definitions
  const idList = idListOf(sql)

  /**
   * Reads what the calculations of these records need of related ones. Locks nothing: a caller that writes has locked its records, and holds
   * those to which they newly point.
   */
  const relatedTo = Effect.fnUntraced(function* (definition: AppDefinition, all: ReadonlyArray<Cells>) {
    if (!readsRelated(definition)) return noneRelated
    const followed = followedRelations(definition)
    const ids = new Set(all.flatMap((cells) => [...readRelations(followed.keys(), cells).idsOf.values()].flat()))
    const appIds = new Set(
      [...followed.keys()].flatMap(({ settings }) => settings.referenced_apps.map(({ app_id }) => app_id))
    )
    const apps =
      ids.size === 0 || appIds.size === 0
        ? new Map<number, AppDefinition>()
        : yield* definitions.current(definition.org_id, appIds)
    const members = new Set([...followed.values()].flatMap((names) => [...names]))
    const keys = [...apps.values()].flatMap(({ fields }) =>
      fields.filter(({ slug }) => members.has(slug)).map(({ field_id }) => String(field_id))
    )
    const rows =
      apps.size === 0
        ? []
        : yield* rowsOf(RelatedRow)(sql`
            SELECT r.record_id, r.app_id, r.app_record_id, r.created_on, r.last_modified_on, c.cells, c.long
            FROM records r, LATERAL (
              SELECT coalesce(jsonb_object_agg(k, cell) FILTER (WHERE bytes <= ${BYTES_AT_MOST}::int), '{}') AS cells,
                coalesce(array_agg(k) FILTER (WHERE bytes > ${BYTES_AT_MOST}::int), '{}') AS long
              FROM (
                SELECT k, cell, sum(octet_length(cell::text)) OVER (ORDER BY octet_length(cell::text), k ROWS UNBOUNDED PRECEDING) AS bytes
                FROM jsonb_each(r.cells) AS e (k, cell) WHERE k = ANY(${keys}::text[])
              ) measured
            ) c
            WHERE r.record_id = ${idList(ids)} AND r.app_id = ${idList(apps.keys())} AND r.deleted_on IS NULL`)
    const values = new Map(
      rows.map((row): [number, RecordValue] => [row.record_id, valueOf(row, apps.get(row.app_id)!, members)])
    )
    const related: RelatedRecords = (cells) => {
      const { idsOf } = readRelations(followed.keys(), cells)
      return (relation) => {
        const count = cells[relation.field_id]?.length ?? 0
        if (count > RELATED_AT_MOST) return fail(`related(${relation.slug}): more than ${RELATED_AT_MOST} records`)
        const ids =
          idsOf.get(relation.field_id) ??
          fail(`related(${relation.slug}): the relations of the record have more than ${READ_AT_MOST} records together`)
        return ids.flatMap((id) => values.get(id) ?? [])
      }
    }
    return related
  })

  /**
   * Works on records with what is related to them, which is read for some of them at once. Yields to other work between records.
   * @param cellsOf cells of a record, its relations among them
   */
  const eachWithRelated = Effect.fnUntraced(function* <A, B>(
    definition: AppDefinition,
    items: ReadonlyArray<A>,
    cellsOf: (item: A, index: number) => Cells,
    work: (item: A, index: number, related: RelatedRecords) => B
  ) {
    if (!readsRelated(definition)) return yield* inSlices(items, (item, index) => work(item, index, noneRelated))
    const cells = items.map(cellsOf)
    const results: Array<B> = []
    for (let start = 0; start < items.length; start = results.length) {
      const end = start + readTogether(definition, cells.slice(start))
      const related = yield* relatedTo(definition, cells.slice(start, end))
      const group = yield* inSlices(items.slice(start, end), (item, index) => work(item, start + index, related))
      for (const result of group) results.push(result)
    }
    return results
  })

  return { relatedTo, eachWithRelated }
})
