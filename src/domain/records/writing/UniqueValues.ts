// Keeps the values of unique fields in step with the live records that have them (developer-api.md 11.2), in the transaction of the change:
// the unique index decides between concurrent writers. A writer that waits here has locked its records already; all take values in the same
// order.
import { Effect, Schema } from "effect"
import type { Cell, Cells } from "../../../platform/primitives/Cell.ts"
import { UniqueConflict } from "../../../platform/primitives/errors.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { holds } from "../../accounts/Caller.ts"
import type { Field } from "../fields/model/Field.ts"
import { keyText, type UniqueKey, uniqueKeys } from "../fields/uniqueKeys.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import type { Write } from "../model/RecordRow.ts"

const UniqueValueRow = Schema.Struct({ field_id: Schema.Int, value: Schema.String, record_id: Schema.Int })
export type UniqueValue = typeof UniqueValueRow.Type

/** Cells of a record before and after a write. */
export interface HeldCells {
  readonly record_id: number
  readonly before: Cells
  readonly after: Cells
  readonly write: Write
}

/** Leads to the input that asks for a value. */
type Place = (index: number) => string

const uniqueFields = ({ fields }: Pick<AppDefinition, "fields">) => fields.filter(({ unique }) => unique)
export const hasUnique = ({ fields }: Pick<AppDefinition, "fields">) => fields.some(({ unique }) => unique)

export const valuesOf = (field: Field, cell: Cell | undefined, record_id: number): ReadonlyArray<UniqueValue> =>
  uniqueKeys(field, cell ?? []).map((value) => ({ field_id: field.field_id, value, record_id }))

export const makeUniqueValues = (sql: Sql) => {
  const valueRows = (values: ReadonlyArray<UniqueKey>) =>
    sql`jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS x (field_id bigint, value text, record_id bigint)`

  /** Records that hold the values now, as far as committed. */
  const holders = (values: ReadonlyArray<UniqueKey>) =>
    values.length === 0
      ? Effect.succeed([])
      : rowsOf(UniqueValueRow)(sql`
          SELECT u.field_id, u.value, u.record_id FROM ${valueRows(values)} JOIN unique_values u USING (field_id, value)`)

  const give = (values: ReadonlyArray<UniqueValue>) =>
    values.length === 0
      ? Effect.void
      : sql`
          DELETE FROM unique_values u USING ${valueRows(values)}
          WHERE u.field_id = x.field_id AND u.value = x.value AND u.record_id = x.record_id`

  /** Answers those that others have. */
  const take = Effect.fnUntraced(function* (values: ReadonlyArray<UniqueValue>) {
    if (values.length === 0) return []
    const insertedRows = yield* rowsOf(UniqueValueRow)(sql`
      INSERT INTO unique_values (field_id, value, record_id)
      SELECT field_id, value, record_id FROM ${valueRows(values)} ORDER BY field_id, value COLLATE "C", record_id
      ON CONFLICT DO NOTHING RETURNING field_id, value, record_id`)
    if (insertedRows.length === values.length) return []
    const insertedKeys = new Set(insertedRows.map((one) => `${keyText(one)} ${one.record_id}`))
    return values.filter((one) => !insertedKeys.has(`${keyText(one)} ${one.record_id}`))
  })

  /** Fails if another live record has a value; the surrounding transaction or savepoint rolls back values taken until then. */
  const keep = Effect.fnUntraced(function* (
    definition: AppDefinition,
    records: ReadonlyArray<HeldCells>,
    place: Place
  ) {
    const fields = uniqueFields(definition)
    const leaving: Array<UniqueValue> = []
    const coming: Array<UniqueValue> = []
    for (const { after, before, record_id } of records) {
      for (const field of fields) {
        if (before[field.field_id] === after[field.field_id]) continue
        const had = valuesOf(field, before[field.field_id], record_id)
        const has = valuesOf(field, after[field.field_id], record_id)
        const [old, now] = [new Set(had.map(({ value }) => value)), new Set(has.map(({ value }) => value))]
        leaving.push(...had.filter(({ value }) => !now.has(value)))
        coming.push(...has.filter(({ value }) => !old.has(value)))
      }
    }
    yield* give(leaving)
    const [refused] = yield* take(coming)
    if (refused === undefined) return
    const index = records.findIndex(({ record_id }) => record_id === refused.record_id)
    const [holder] = yield* holders([refused])
    const isOwnWrite = records.some(({ record_id }) => record_id === holder?.record_id)
    const sees = records.every(({ write }) => holds(write.caller, "records:read"))
    const { slug } = definition.byId.get(refused.field_id)!
    return yield* new UniqueConflict({
      message: `${place(index)}fields.${slug}: ${isOwnWrite ? "two records of this write have" : "another record has"} the value already; the field is unique`,
      field_id: refused.field_id,
      record_id: sees && !isOwnWrite && holder !== undefined ? holder.record_id : null
    })
  })

  /** Releases the values of deleted records. */
  const leave = (
    definition: AppDefinition,
    records: ReadonlyArray<Pick<HeldCells, "record_id"> & { readonly cells: Cells }>
  ) =>
    give(
      uniqueFields(definition).flatMap((field) =>
        records.flatMap(({ cells, record_id }) => valuesOf(field, cells[field.field_id], record_id))
      )
    )

  return { holders, keep, leave, take }
}
