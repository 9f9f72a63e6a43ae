// What a condition's subject holds (developer-api.md 3.4 "Other subjects"; decisions A10, A11): data as `evaluateLeaf` compares it. Pure.

import type {
  Cell,
  ChecklistEntry,
  ContactEntry,
  DateEntry,
  LinkEntry,
  LocationEntry
} from "../../../ground/primitives/Cell.ts"
import { numberOf } from "../../records/fields/input/numbers.ts"
import { htmlText } from "../../records/fields/kinds/html.ts"
import { isCompleted } from "../../records/fields/kinds/options.ts"
import type { Field, Found } from "../../records/fields/model/Field.ts"
import { typeOf } from "../../records/fields/registry.ts"
import type { Reference } from "../model/Definition.ts"
import { type Channel, type FieldType, fieldKind, fieldTypeAliases } from "../schema/operators.ts"
import { type Data, foundWith } from "../values/resolveData.ts"
import { booleanOf, dateText, scalarText } from "../values/resolvePayload.ts"
import { visible } from "../values/resolveShown.ts"
import type { Subject } from "./evaluateLeaf.ts"

const isAlias = (type: string): boolean => type in fieldTypeAliases

/** Whether the field's entries have to be looked up before they are compared. */
export const looksUp = (field: Field): boolean => typeOf(field).refersTo !== undefined

/** The entries of one record's field. @param claimed the field type that the reference names */
export const cellSubject = (raw: Cell, field: Field, claimed: string, found: Found): Subject => {
  // Trashed records and files that are gone do not count. Options and users stay as long as cells name them.
  const cell = looksUp(field) ? visible(raw, field, found) : raw
  const { set } = fieldKind(field.field_type as FieldType)
  switch (set) {
    case "NUM":
      return { set, number: (cell[0] as number | undefined) ?? null }
    case "ONE":
    case "MANY":
      return { set, ids: cell as ReadonlyArray<number>, either: isAlias(claimed) }
    case "STATUS":
      return { set, ids: cell as ReadonlyArray<number>, completed: cell.length === 0 ? null : isCompleted(cell, field) }
    case "DATE":
      return { set, date: (cell[0] as DateEntry | undefined) ?? null }
    case "CHECK":
      return {
        set,
        entries: (cell as ReadonlyArray<ChecklistEntry>).map(({ completed, title }) => ({ title, done: completed }))
      }
    case "LIST":
      return { set, texts: (cell as ReadonlyArray<ContactEntry>).map(({ value }) => value), cased: false }
    case "LINK":
      return { set, texts: (cell as ReadonlyArray<LinkEntry>).map(({ url }) => url), cased: false }
    case "LOC":
      return {
        set,
        texts: (cell as ReadonlyArray<LocationEntry>).map(({ value }) => value),
        cased: false,
        present: cell.length > 0
      }
    default: {
      const { refersTo, type } = typeOf(field)
      if (refersTo === "files") {
        return { set: "TEXT", texts: cell.map((entry) => typeOf(field).text(entry, field, found)), cased: false }
      }
      // A calculation without a result is empty, whatever it would have given.
      if (type === "calculation") return { set: "TEXT", texts: cell.map(String), cased: true }
      const texts = (cell as ReadonlyArray<string>).map(field.field_type === "multi_text" ? htmlText : String)
      return { set: "TEXT", texts, cased: true }
    }
  }
}

/** A plain value, compared as the tag of the condition's value says (3.4, data type `any`). */
const valueSubject = (value: unknown, channel: Channel | undefined): Subject => {
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
      const all = Array.isArray(value) ? value : [value]
      return { set: "ONE", ids: all.flatMap((id) => numberOf(id) ?? []), either: true }
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

/** An empty subject of the reference's own kind, for a record or a field that is not there. */
const emptySubject = (reference: Reference): Subject => {
  if (reference.source !== "field") return valueSubject(null, undefined)
  const alias = isAlias(reference.field_type)
  const { set } = fieldKind(reference.field_type)
  switch (set) {
    case "NUM":
      return { set, number: null }
    case "ONE":
    case "MANY":
      return { set, ids: [], either: alias }
    case "STATUS":
      return { set, ids: [], completed: null }
    case "DATE":
      return { set, date: null }
    case "CHECK":
      return { set, entries: [] }
    case "TEXT":
    case "LIST":
    case "LINK":
    case "LOC":
      return { set, texts: [], cased: false }
    default:
      return { set: "TEXT", texts: [], cased: false }
  }
}

const metaSets: Record<string, Subject> = {
  app_record_id: { set: "NUM", number: null },
  created_at: { set: "DATE", date: null },
  last_modified_at: { set: "DATE", date: null },
  created_by: { set: "ONE", ids: [] },
  last_modified_by: { set: "ONE", ids: [] }
}

/** The subjects of a condition: one, or one per record where the reference names a whole collection. */
export const subjectsOf = (
  reference: Reference,
  data: Data,
  found: Found,
  channel: Channel | undefined
): ReadonlyArray<Subject> => {
  if (reference.source === "trigger") {
    if (reference.trigger_type === "record_comment_or_reply_entity_type") {
      return [{ set: "ENTITY", entity: data.type === "cells" ? ((data.cells[0]?.[0] as string) ?? null) : null }]
    }
    if (reference.trigger_type === "webhook_payload_property") {
      const value = data.type === "cells" ? (data.cells[0]?.[0] ?? null) : data.type === "json" ? data.value : null
      const typed = { text: "text", number: "number", date: "date", boolean: "boolean", any: channel } as const
      const of = typed[reference.data_type]
      const plain = of === "date" && data.type === "cells" ? ((value as DateEntry | null)?.start ?? null) : value
      return [valueSubject(plain, of)]
    }
  }
  if (data.type !== "cells") {
    const value = data.type === "json" || data.type === "named" ? data.value : data.type === "html" ? data.html : null
    if (value === null && reference.source === "meta") return [metaSets[reference.meta_type] ?? emptySubject(reference)]
    return [value === null ? emptySubject(reference) : valueSubject(value, channel)]
  }
  const own = foundWith(data, found)
  const claimed = reference.source === "field" ? reference.field_type : data.field.field_type
  if (data.cells.length === 0) return [cellSubject([], data.field, claimed, own)]
  return data.cells.map((cell) => cellSubject(cell, data.field, claimed, own))
}
