// Which column of a file goes to which field, and what a row of it becomes: a record, or why it is none.
import type { App, Field, FieldInput } from "../../../api/types.ts"
import type { CsvRow } from "./csvFile.ts"
import { importable, type ReadContext, readText } from "./csvValues.ts"

/** The field of each column; none leaves it out. */
export type Mapping = ReadonlyArray<Field | undefined>

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** Columns that are called like a field. */
export const guessed = (app: App, head: CsvRow): Mapping => {
  const free = new Set(importable(app))
  return head.map((name) => {
    const field = [...free].find(({ external_id, label }) =>
      [label, external_id].some((own) => plain(own) === plain(name))
    )
    if (field !== undefined) free.delete(field)
    return field
  })
}

export interface Row {
  /** Of the file, its head is line 1. */
  readonly line: number
  readonly cells: CsvRow
}
export interface RefusedRow extends Row {
  readonly why: string
  /** A related record that it names is not there, or not clear. */
  readonly related?: boolean
}

export const recordOf = (
  app: App,
  mapping: Mapping,
  context: ReadContext,
  row: Row
): { readonly fields: Record<string, FieldInput> } | RefusedRow => {
  const fields: Record<string, FieldInput> = {}
  const faults: Array<string> = []
  let related = false
  for (const [at, field] of mapping.entries()) {
    const read = field === undefined ? undefined : readText(row.cells[at] ?? "", field, context)
    if (field === undefined || read === undefined) continue
    if ("refused" in read) {
      faults.push(`${field.label}: ${read.refused}`)
      related ||= read.related === true
    } else fields[field.external_id] = read.input as FieldInput
  }
  for (const { config, external_id, label } of importable(app))
    if (config.required && fields[external_id] === undefined && faults.length === 0)
      faults.push(`${label}: it needs a value`)
  return faults.length === 0 ? { fields } : { ...row, why: faults.join("; "), related }
}
