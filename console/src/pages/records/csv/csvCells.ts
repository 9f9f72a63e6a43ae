// Cells of records as texts of a file: what an import makes the same values of. Where a plain text would say less than the value
// does, the cell holds what a write takes, as JSON.

import { readText, recordsNamed } from "../../../../../src/domain/imports/cellValues.ts"
import type { CsvField, Names, ReadContext } from "../../../../../src/domain/imports/csvField.ts"
import { entryText } from "../../../../../src/domain/imports/entryTexts.ts"
import { joined } from "../../../../../src/domain/imports/listTexts.ts"
import { multiText } from "../../../../../src/domain/imports/richTexts.ts"
import { type EntriesOfField, entriesAsInput } from "../entriesAsInput.ts"
import { momentText } from "./momentText.ts"

type Writer = (values: ReadonlyArray<any>, field: CsvField, names: Names) => string

const LISTED = new Set(["multi_category", "multi_user", "multi_relation"])

/** The name, where it names nobody else. */
const personText = ({ mail, name, user_id }: any, { person }: Names): string => {
  const named = person(name)
  return "id" in named && named.id === user_id ? name : (mail?.[0] ?? name)
}

/** The title, where it names this record alone and the whole of it is read again; else the id. */
const recordText = ({ record_id, title }: any, field: CsvField, { related }: Names): string => {
  const reads = (text: string) => {
    const [first] = recordsNamed(text, { ...field, field_type: "single_relation" })
    const named = first === undefined ? undefined : related(field, first)
    return named !== undefined && "id" in named && named.id === record_id
  }
  return reads(title) || !reads(String(record_id)) ? title : String(record_id)
}

const dateText = (entry: any): string => {
  const start = momentText(entry.start_time_utc === null ? entry.start_date_utc : entry.start_utc)
  if (entry.end_date_utc == null) return start
  return `${start} - ${momentText(entry.end_time_utc === null ? entry.end_date_utc : entry.end_utc)}`
}

/** An author's name, the text of an option, the name of a file, or the value itself. */
const renderValue = (value: any): string =>
  value?.text ?? value?.title ?? value?.name ?? value?.filename ?? String(value)

const valueText = (entry: any, field: CsvField, names: Names): string => {
  if ("start_date_utc" in entry) return dateText(entry)
  if (field.field_type.endsWith("_user")) return personText(entry.value, names)
  if (field.field_type.endsWith("_relation")) return recordText(entry.value, field, names)
  return renderValue(entry.value)
}

const entries: Writer = (values, { field_type }) => joined(values.map((entry) => entryText(field_type, entry)))

const writers: Readonly<Record<string, Writer>> = {
  multi_text: ([entry]) => multiText(entry.value),
  checklist: entries,
  multi_email: entries,
  multi_phone: entries,
  multi_link: entries
}
const plainText: Writer = (values, field, names) => {
  const texts = values.map((entry) => valueText(entry, field, names))
  return LISTED.has(field.field_type) ? joined(texts) : texts.join("; ")
}

/** True if two inputs of a write are equal. */
const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === "object" && a !== null && typeof b === "object" && b !== null
    ? Object.keys(a).length === Object.keys(b).length &&
      Object.entries(a).every(([key, value]) => isSame(value, (b as Record<string, unknown>)[key]))
    : a === b

/** Types whose entries may say more than a text does. */
const AS_JSON = new Set(["checklist", "multi_email", "multi_phone", "single_location"])

const reading = { slashes: "month first", toUtc: (wallTime: string) => wallTime, decimal: "." } as const

/** @param names finds what an import would find */
export const cellText = (cell: EntriesOfField | undefined, field: CsvField, names: Names): string => {
  if (cell === undefined || cell.values.length === 0) return ""
  const writtenText = (writers[cell.field_type] ?? plainText)(cell.values, field, names)
  if (!AS_JSON.has(cell.field_type)) return writtenText
  const input = entriesAsInput(cell)
  const context: ReadContext = { ...reading, ...names }
  const read = readText(writtenText, field, context)
  return read !== undefined && "input" in read && isSame(read.input, input)
    ? writtenText
    : JSON.stringify(typeof input === "string" ? { value: input } : input)
}
