// Data of a reference, in one form for all sources: cells of a field type, or a plain JSON value (developer-api.md 7.4). Outputs, metadata
// and variables use the field type that reads like them. Pure.
import type { Author } from "../../../engine/outbox/Event.ts"
import type { Cell } from "../../../platform/primitives/Cell.ts"
import { authorCell } from "../../records/fields/kinds/authorFields.ts"
import { momentCell } from "../../records/fields/kinds/momentFields.ts"
import type { Field, Found, Mentions, RecordPreview } from "../../records/fields/model/Field.ts"
import { type FieldTypeTag, typeOf } from "../../records/fields/registry.ts"
import type { FileOutput, RecordState } from "../model/RunScope.ts"

export type Data =
  | {
      readonly type: "cells"
      readonly field: Field
      /** Cell, or the cells of several records if `list` is set. */
      readonly cells: ReadonlyArray<Cell>
      readonly list: boolean
      /** Set for the global `current_date`, whose hours count from now (A9). */
      readonly today?: true
      /** Kind of the ids in cells that come from no record which the author has read: they must be visible to the author (A21). */
      readonly named?: Named
      /** Records that no database holds: the stand-in of a simulation. */
      readonly standIns?: ReadonlyArray<RecordPreview>
    }
  | { readonly type: "json"; readonly value: unknown }
  | { readonly type: "html"; readonly html: string }
  /** Time of day, UTC `HH:mm:ss` in code, of the zone in templates. */
  | { readonly type: "time"; readonly at: number }
  /** Number for scripts with a name for people. */
  | { readonly type: "named"; readonly value: unknown; readonly text: string }

export type Named = "files" | "records" | "users"

/** Marks data that was composed of ids. */
export const named = (kind: Named, data: Data): Data => (data.type === "cells" ? { ...data, named: kind } : data)

/** Stand-in field that only provides a type. */
export const fieldLike = (field_type: FieldTypeTag): Field => ({
  field_id: 0,
  app_id: 0,
  slug: "",
  field_type,
  label: "",
  description: null,
  required: false,
  unique: false,
  hidden_if_empty: false,
  always_hidden: false,
  position: 0,
  settings: { options: [], referenced_apps: [], decimals: null, unit: null, unit_location: "suffix" }
})

const likes = new Map<FieldTypeTag, Field>()
const like = (field_type: FieldTypeTag): Field => {
  const cachedField = likes.get(field_type)
  if (cachedField !== undefined) return cachedField
  const newField = fieldLike(field_type)
  likes.set(field_type, newField)
  return newField
}

const cells = (field_type: FieldTypeTag, cell: Cell): Data => ({
  type: "cells",
  field: like(field_type),
  cells: [cell],
  list: false
})

export const nothing: Data = { type: "json", value: null }
export const json = (value: unknown): Data => ({ type: "json", value: value === undefined ? null : value })
export const textData = (text: string | null): Data => cells("single_text", text === null || text === "" ? [] : [text])
export const numberData = (number: number | null): Data => cells("number", number === null ? [] : [number])
export const momentData = (moment: string | null): Data => cells("created_at", momentCell(moment))
export const todayData = (moment: string): Data => ({
  ...(momentData(moment) as Data & { type: "cells" }),
  today: true
})
export const authorData = (author: Author | null): Data => cells("created_by", authorCell(author))
export const filesData = (files: ReadonlyArray<Pick<FileOutput, "file_id">>): Data =>
  cells(
    "multi_attachment",
    files.map((file) => file.file_id)
  )
export const recordsData = (ids: ReadonlyArray<number>): Data => cells("multi_relation", ids)
export const createdData = (recordId: number, standIn: RecordState | undefined): Data => ({
  type: "cells",
  field: like("single_relation"),
  cells: [[recordId]],
  list: false,
  ...(standIn === undefined
    ? {}
    : { standIns: [{ record_id: standIn.record_id, app_id: standIn.app_id, title: standIn.title }] })
})

/** Returns the files in a variable's value: those that the service put there, or any value that names a file by its id. */
export const filesIn = (value: unknown): ReadonlyArray<{ readonly file_id: number }> => {
  const flatValues = Array.isArray(value) ? value.flat() : [value]
  return flatValues.flatMap((item) => {
    const id =
      typeof item === "number" ? item : ((item as { file_id?: unknown; id?: unknown } | null)?.file_id ?? item?.id)
    return Number.isSafeInteger(id) ? [{ file_id: id as number }] : []
  })
}

/** Adds everything that displaying the data has to look up. */
export const mention = (data: Data, into: Mentions): void => {
  if (data.type !== "cells") return
  const type = typeOf(data.field)
  if (type.mention !== undefined) for (const cell of data.cells) type.mention(cell, into)
}

/** Returns the looked-up values together with the stand-ins of the data. */
export const foundWith = (data: Data, found: Found): Found =>
  data.type !== "cells" || data.standIns === undefined
    ? found
    : { ...found, records: new Map([...found.records, ...data.standIns.map((it) => [it.record_id, it] as const)]) }
