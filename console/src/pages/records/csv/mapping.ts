// Which column of a file goes to which field, and what a row of it becomes: a record, or why it is none.
import type { CsvRow } from "../../../ui/csvText.ts"
import type { CsvField, ReadContext } from "./csvField.ts"
import type { ReadRow } from "./csvReader.ts"
import { isImportable, readText } from "./csvValues.ts"

/** The field of each column; none leaves it out. */
export type Mapping = ReadonlyArray<CsvField | undefined>

interface AppFields {
  readonly fields: ReadonlyArray<CsvField>
}

export const importable = ({ fields }: AppFields) => fields.filter(isImportable)

const normalizeName = (text: string) =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

/** Comparisons of a field with a column's name, from the strictest on: an exact match comes first. */
const alike: ReadonlyArray<(field: CsvField, name: string) => boolean> = [
  ({ label }, name) => label === name,
  ({ external_id }, name) => external_id === name,
  ({ external_id, label }, name) =>
    normalizeName(name) !== "" && [label, external_id].some((own) => normalizeName(own) === normalizeName(name))
]

/** Columns that are called like a field. */
export const guessed = (app: AppFields, head: CsvRow): Mapping => {
  const unmappedFields = new Set(importable(app))
  const mapping: Array<CsvField | undefined> = head.map(() => undefined)
  for (const isAlike of alike)
    for (const [at, name] of head.entries()) {
      const field = mapping[at] === undefined ? [...unmappedFields].find((one) => isAlike(one, name)) : undefined
      if (field === undefined) continue
      mapping[at] = field
      unmappedFields.delete(field)
    }
  return mapping
}

export type Row = ReadRow
export interface RefusedRow extends Row {
  readonly why: string
  /** A related record that it names is not there, or not clear. */
  readonly related?: boolean
}

/** Cells behind the last one of the head have no column that they could go to. */
const beyond = ({ cells }: Row, head: CsvRow): string | undefined => {
  const stray = cells.slice(head.length).find((text) => text.trim() !== "")
  return stray === undefined
    ? undefined
    : `it has ${cells.length} cells where the first line names ${head.length}; “${stray.slice(0, 80)}” is in none of the columns`
}

/** @param head the first row of the file */
export const recordOf = (
  app: AppFields,
  head: CsvRow,
  mapping: Mapping,
  context: ReadContext,
  row: Row
): { readonly fields: Record<string, unknown> } | RefusedRow => {
  const fields: Record<string, unknown> = {}
  const fault = row.fault ?? beyond(row, head)
  if (fault !== undefined) return { ...row, why: fault }
  const faults: Array<string> = []
  const judged = new Set<CsvField>()
  let related = false
  for (const [at, field] of mapping.entries()) {
    const read = field === undefined ? undefined : readText(row.cells[at] ?? "", field, context)
    if (field === undefined || read === undefined) continue
    judged.add(field)
    if ("refused" in read) {
      faults.push(`${field.label}: ${read.refused}`)
      related ||= read.related === true
    } else fields[field.external_id] = read.input
  }
  for (const field of app.fields)
    if (field.config.required && ![...judged].some(({ field_id }) => field_id === field.field_id))
      faults.push(`${field.label}: it needs a value${isImportable(field) ? "" : ", which a file cannot bring"}`)
  return faults.length === 0 ? { fields } : { ...row, why: faults.join("; "), related }
}
