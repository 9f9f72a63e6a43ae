// Looks up the related records that calculations read (developer-api.md 11.3), all of a batch in one statement, so that the results of a
// record come from one reading. Live records of the organization; of each, only the cells that some expression names.
import { Effect, Schema } from "effect"
import { fail, type RecordValue, type Value } from "../../../platform/expressions/Value.ts"
import type { Cells } from "../../../platform/primitives/Cell.ts"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { RelationSettings } from "../fields/kinds/relationFields.ts"
import type { Field } from "../fields/model/Field.ts"
import { type AppDefinition, cellOf } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { noneRelated, type RelatedRecords } from "./calculate.ts"
import { calculationsOf, readsRelated, relationsOf } from "./calculationPlan.ts"
import { cellValue, isReadable } from "./calculationValues.ts"

/** Records of one relation field that an expression may read. */
const RELATED_AT_MOST = 1_000
/** Bytes that the expressions of an app may read of a related record: its short cells before its long ones. */
const BYTES_AT_MOST = 10_000
/** Related records that one lookup reads for its batch, unless a single record has more. */
const READ_AT_ONCE = 5_000

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

/** Relations that calculations follow, with the external ids that they read of the records there. */
export const followedRelations = (definition: { readonly fields: ReadonlyArray<Field> }) => {
  const followed = new Map<Field<RelationSettings>, Set<string>>()
  for (const calculation of calculationsOf(definition)) {
    for (const relation of relationsOf(calculation)) {
      const members = followed.get(relation) ?? new Set()
      followed.set(relation, members)
      for (const member of calculation.expression.uses.members) members.add(member)
    }
  }
  return followed
}

/** Number of first records whose related ones are read in one lookup; at least one. */
export const readTogether = (definition: AppDefinition, all: ReadonlyArray<Cells>): number => {
  const relations = [...followedRelations(definition).keys()]
  let sum = 0
  const end = all.findIndex((cells) => {
    sum += relations.reduce((count, { field_id }) => count + (cells[field_id]?.length ?? 0), 0)
    return sum > READ_AT_ONCE
  })
  return end < 0 ? all.length : Math.max(1, end)
}

const valueOf = (row: RelatedRow, definition: AppDefinition, members: ReadonlySet<string>): RecordValue => {
  const facts = {
    app_record_id: row.app_record_id,
    created_on: formatDateTime(row.created_on),
    created_by: { type: "user" as const, user_id: 0 },
    last_modified_on: row.last_modified_on === null ? null : formatDateTime(row.last_modified_on),
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
  const idList = (ids: Iterable<number>) => sql`ANY(${[...ids].map(String)}::text[]::bigint[])`

  /**
   * Reads what the calculations of these records need of related ones. Locks nothing: a caller that writes has locked its records, and holds
   * those to which they newly point.
   */
  const relatedTo = Effect.fnUntraced(function* (definition: AppDefinition, all: ReadonlyArray<Cells>) {
    if (!readsRelated(definition)) return noneRelated
    const followed = followedRelations(definition)
    const ids = new Set(
      [...followed.keys()].flatMap(({ field_id }) =>
        all.flatMap((cells) => (cells[field_id] ?? []).slice(0, RELATED_AT_MOST + 1) as ReadonlyArray<number>)
      )
    )
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
    const related: RelatedRecords = (relation, cell) => {
      if (cell.length > RELATED_AT_MOST) return fail(`related(${relation.slug}): more than ${RELATED_AT_MOST} records`)
      return cell.flatMap((id) => values.get(id as number) ?? [])
    }
    return related
  })

  return relatedTo
})
