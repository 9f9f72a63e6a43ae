// Reads history of converted fields (developer-api.md 4.5, 11.4): their values of before are under keys of their own, `<field_id>@<number>`,
// and read as the type that the field had.
import { Effect, Schema } from "effect"
import type { Cell } from "../../../platform/primitives/Cell.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { Field } from "../fields/model/Field.ts"
import { type AppDefinition, definitionOf } from "../model/AppDefinition.ts"
import type { RecordRow } from "../model/RecordRow.ts"
import type { Delta } from "../writing/fieldInputs.ts"

const FormerRow = Schema.Struct({
  field_id: Schema.Int,
  number: Schema.Int,
  field_type: Schema.String,
  settings: Schema.Unknown
})

/** Former forms of fields, by the key of their values. */
type FormerFields = ReadonlyMap<string, Field>

export const makeFormerFields = Effect.map(Sql, (sql) => {
  /** Asks only for apps that have converted fields. */
  const formerFieldsOf = Effect.fnUntraced(function* ({ byId, fields }: AppDefinition) {
    const ids = fields.filter(({ converted_on }) => (converted_on ?? null) !== null).map(({ field_id }) => field_id)
    if (ids.length === 0) return new Map<string, Field>() as FormerFields
    const rows = yield* rowsOf(FormerRow)(sql`
      SELECT field_id, number, field_type, settings FROM former_fields WHERE field_id = ANY(${ids.map(String)}::text[]::bigint[])`)
    return new Map(
      rows.map(({ field_id, number, ...former }): [string, Field] => [
        `${field_id}@${number}`,
        { ...byId.get(field_id)!, ...former, converted_on: null }
      ])
    ) as FormerFields
  })
  return { of: formerFieldsOf }
})

interface FieldChange {
  /** The field as it was before and after the revision. */
  readonly before: Field
  readonly after: Field
  readonly from: Cell
  readonly to: Cell
}

/** Changes of a revision in field order; the one that converted a field is one change. */
export const changesOf = ({ fields }: AppDefinition, delta: Delta, former: FormerFields): ReadonlyArray<FieldChange> =>
  fields.flatMap((field): ReadonlyArray<FieldChange> => {
    const ownDelta = delta[field.field_id]
    const formerEntry = [...former].find(
      ([key, { field_id }]) => field_id === field.field_id && delta[key] !== undefined
    )
    if (formerEntry === undefined) return ownDelta === undefined ? [] : [{ before: field, after: field, ...ownDelta }]
    const [key, formerField] = formerEntry
    const change = delta[key]!
    const isConversion = ownDelta !== undefined || change.to.length === 0
    return [
      {
        before: formerField,
        after: isConversion ? field : formerField,
        from: change.from,
        to: ownDelta?.to ?? change.to
      }
    ]
  })

/** A record of the past with its fields of then. */
export const asItWas = (definition: AppDefinition, record: RecordRow, former: FormerFields) => {
  const formerEntries = [...former].filter(([key]) => record.cells[key] !== undefined)
  if (formerEntries.length === 0) return { definition, record }
  const byId = new Map(formerEntries.map(([, field]) => [field.field_id, field]))
  const cells = {
    ...record.cells,
    ...Object.fromEntries(formerEntries.map(([key, { field_id }]) => [field_id, record.cells[key]!]))
  }
  const fields = definition.fields.map((field) => byId.get(field.field_id) ?? field)
  return { definition: definitionOf(definition, fields, definition.readers), record: { ...record, cells } }
}
