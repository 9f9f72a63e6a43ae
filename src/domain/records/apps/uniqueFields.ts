// Makes a field unique, or no longer unique (developer-api.md 11.2). Claims the values of its live records while the app is locked, so that
// nobody writes meanwhile. If several records have the same value, it reports the first such values and changes nothing.
import { Effect, Schema } from "effect"
import type { Cell } from "../../../platform/primitives/Cell.ts"
import { UniqueConflict } from "../../../platform/primitives/errors.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { type CallerShape, holds } from "../../accounts/Caller.ts"
import type { Field } from "../fields/model/Field.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { makeUniqueValues, valuesOf } from "../writing/UniqueValues.ts"

/** Maximum number of duplicate values that are reported. */
const TOLD = 20
const PAGE = 2000
/** Maximum number of characters, and of records, that a reported duplicate shows. */
const SHOWN = 200

const HeldCell = Schema.Struct({ record_id: Schema.Int, cell: jsonb<Cell>() })

export const makeUniqueFields = Effect.gen(function* () {
  const sql = yield* Sql
  const { holders, take } = makeUniqueValues(sql)

  const page = (field: Field, after: number) =>
    rowsOf(HeldCell)(sql`
      SELECT record_id, cells->${String(field.field_id)}::text AS cell FROM records
      WHERE app_id = ${field.app_id} AND deleted_on IS NULL AND record_id > ${after} AND cells ? ${String(field.field_id)}::text
      ORDER BY record_id LIMIT ${PAGE}::int`)

  const findDuplicates = Effect.fnUntraced(function* (field: Field) {
    const duplicates = new Map<string, Set<number>>()
    for (let lastId = 0; duplicates.size < TOLD; ) {
      const rows = yield* page(field, lastId)
      if (rows.length === 0) break
      lastId = rows.at(-1)!.record_id
      const takenValues = yield* take(rows.flatMap(({ cell, record_id }) => valuesOf(field, cell, record_id)))
      for (const holder of yield* holders(takenValues)) {
        const records = duplicates.get(holder.value) ?? new Set([holder.record_id])
        if (records.size === 1 && duplicates.size === TOLD && !duplicates.has(holder.value)) continue
        for (const { record_id, value } of takenValues) if (value === holder.value) records.add(record_id)
        duplicates.set(holder.value, records)
      }
    }
    return duplicates
  })

  const become = Effect.fnUntraced(function* (caller: CallerShape, field: Field) {
    const duplicates = yield* findDuplicates(field)
    if (duplicates.size === 0) return
    const sees = holds(caller, "records:read")
    return yield* new UniqueConflict({
      message: `${field.slug}: several records have the same value, so the field cannot be unique yet`,
      field_id: field.field_id,
      record_id: null,
      ...(sees
        ? {
            duplicates: [...duplicates].map(([value, records]) => ({
              value: value.slice(0, SHOWN),
              record_ids: [...records].slice(0, SHOWN)
            }))
          }
        : {})
    })
  })

  const forget = (fieldIds: ReadonlyArray<number>) =>
    fieldIds.length === 0
      ? Effect.void
      : sql`DELETE FROM unique_values WHERE field_id = ANY(${fieldIds.map(String)}::bigint[])`

  return {
    forget,
    /** Applies the difference between two definitions of a locked app. */
    switched: Effect.fnUntraced(function* (caller: CallerShape, before: AppDefinition, after: AppDefinition) {
      const was = (field: Field) => before.byId.get(field.field_id)?.unique === true
      yield* forget(after.fields.filter((field) => was(field) && !field.unique).map(({ field_id }) => field_id))
      for (const field of after.fields) if (field.unique && !was(field)) yield* become(caller, field)
    })
  }
})
