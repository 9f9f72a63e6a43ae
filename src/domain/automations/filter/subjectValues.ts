// Converts data into the subject of a condition, as `comparison.ts` compares it (developer-api.md 3.4 "Other subjects"; decisions A10, A11).
// Pure.

import type { Cell, DateEntry } from "../../../platform/primitives/Cell.ts"
import type { Compared } from "../../records/fields/contract/Compared.ts"
import { numberOf } from "../../records/fields/input/numbers.ts"
import { type Field, type Found, nothingFound } from "../../records/fields/model/Field.ts"
import { type FieldTypeTag, typeOf } from "../../records/fields/registry.ts"
import type { Reference } from "../model/Definition.ts"
import { type Channel, fieldTypeAliases, typeNamed } from "../schema/operators.ts"
import { type Data, fieldLike, foundWith } from "../values/resolveData.ts"
import { booleanOf, dateText, scalarText } from "../values/resolvePayload.ts"
import type { ComparedSubject } from "./comparison.ts"

const isAlias = (type: string): boolean => type in fieldTypeAliases

/** True if the field's entries have to be looked up before they are compared. */
export const looksUp = (field: Field): boolean => typeOf(field).refersTo !== undefined

/** Older names of field types cover single and multiple ones. */
const named = (compared: Compared, claimed: string): Compared =>
  (compared.set === "ONE" || compared.set === "MANY") && isAlias(claimed) ? { ...compared, either: true } : compared

/** Returns the subject for the entries of one record's field. @param claimed the field type that the reference names */
export const cellSubject = (cell: Cell, field: Field, claimed: string, found: Found): ComparedSubject =>
  named(typeOf(field).compared(cell, field, found), claimed)

/** Converts a plain value by the tag of the condition's value (3.4, data type `any`). */
const valueSubject = (value: unknown, channel: Channel | undefined): ComparedSubject => {
  switch (channel) {
    case "number":
      return { set: "NUM", number: numberOf(value) }
    case "date": {
      const start = dateText(value)
      return { set: "DATE", date: start === null ? null : { start } }
    }
    case "boolean":
      return { set: "BOOL", boolean: booleanOf(value) }
    case "ids": {
      const listedValues = Array.isArray(value) ? value : [value]
      return { set: "ONE", ids: listedValues.flatMap((id) => numberOf(id) ?? []), either: true }
    }
    case "entity_type":
      return { set: "ENTITY", entity: scalarText(value) }
    default: {
      const hollow = Array.isArray(value) && value.length === 0
      const text = hollow ? null : scalarText(value)
      return { set: "TEXT", texts: text === null ? [] : [text], cased: true }
    }
  }
}

/** Returns an empty subject of the reference's own kind, for a missing record or field. */
const emptySubject = (reference: Reference): ComparedSubject => {
  if (reference.source !== "field") return valueSubject(null, undefined)
  const type = typeNamed(reference.field_type)
  return named(type.compared([], fieldLike(type.tag as FieldTypeTag), nothingFound), reference.field_type)
}

const metaSets: Record<string, ComparedSubject> = {
  app_record_id: { set: "NUM", number: null },
  created_at: { set: "DATE", date: null },
  last_modified_at: { set: "DATE", date: null },
  created_by: { set: "ONE", ids: [] },
  last_modified_by: { set: "ONE", ids: [] }
}

/** Returns the subjects of a condition: one, or one per record if the reference names a whole collection. */
export const subjectsOf = (
  reference: Reference,
  data: Data,
  found: Found,
  channel: Channel | undefined
): ReadonlyArray<ComparedSubject> => {
  if (reference.source === "trigger") {
    if (reference.trigger_type === "record_comment_or_reply_entity_type") {
      return [{ set: "ENTITY", entity: data.type === "cells" ? ((data.cells[0]?.[0] as string) ?? null) : null }]
    }
    if (reference.trigger_type === "webhook_payload_property") {
      const value = data.type === "cells" ? (data.cells[0]?.[0] ?? null) : data.type === "json" ? data.value : null
      const typed = { text: "text", number: "number", date: "date", boolean: "boolean", any: channel } as const
      const valueType = typed[reference.data_type]
      const comparedValue =
        valueType === "date" && data.type === "cells" ? ((value as DateEntry | null)?.start ?? null) : value
      return [valueSubject(comparedValue, valueType)]
    }
  }
  if (data.type !== "cells") {
    const value = data.type === "json" || data.type === "named" ? data.value : data.type === "html" ? data.html : null
    if (value === null && reference.source === "meta") return [metaSets[reference.meta_type] ?? emptySubject(reference)]
    return [value === null ? emptySubject(reference) : valueSubject(value, channel)]
  }
  const cellEntities = foundWith(data, found)
  const claimed = reference.source === "field" ? reference.field_type : data.field.field_type
  if (data.cells.length === 0) return [cellSubject([], data.field, claimed, cellEntities)]
  return data.cells.map((cell) => cellSubject(cell, data.field, claimed, cellEntities))
}
