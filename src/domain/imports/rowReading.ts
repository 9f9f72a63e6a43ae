// Makes the inputs of a record out of a row of a file, or tells why it makes none. Pure: what texts name is looked up before.
import { Result } from "effect"
import type { Field } from "../records/fields/model/Field.ts"
import { typeOf } from "../records/fields/registry.ts"
import type { AppDefinition } from "../records/model/AppDefinition.ts"
import type { FieldInputs } from "../records/writing/fieldInputs.ts"
import { type Read, readText } from "./cellValues.ts"
import type { CsvField, ReadContext } from "./csvField.ts"
import type { ReadRow } from "./csvReader.ts"
import { quoted } from "./shownText.ts"

/** A cell that its field does not take. */
export interface BadCell {
  readonly column: number
  readonly field: Field
  readonly value: string
  readonly message: string
  /** Texts of options that the field lacks. */
  readonly missing: ReadonlyArray<string>
}

export interface ParsedRow {
  readonly row: ReadRow
  readonly inputs: FieldInputs
  readonly badCells: ReadonlyArray<BadCell>
  /** Reason that the row as a whole cannot be imported. */
  readonly fault?: string
}

interface RowReading {
  readonly definition: AppDefinition
  /** Field of each column; undefined leaves it out. */
  readonly targets: ReadonlyArray<Field | undefined>
  readonly context: ReadContext
}

/** A field as the API answers it. */
export const asRead = ({ field_id, field_type, label, required, settings, slug }: Field): CsvField => ({
  ...{ field_id, field_type, label, external_id: slug, config: { required, settings } }
})

/** Entries that an input would make; their ids are none that are kept. */
export const parseInput = (input: unknown, field: Field) => {
  const type = typeOf(field)
  if (!type.assignable) return undefined
  let lastId = 0
  return type.parse(input, field, { entryId: () => ++lastId, now: "2000-01-01 00:00:00", previous: [] })
}

/** Problem of an input that the field's type finds; markup is cleaned, and judged, by the write. */
const problemOf = (input: unknown, field: Field): string | undefined => {
  const cell = typeOf(field).html === true ? undefined : parseInput(input, field)
  return cell !== undefined && Result.isFailure(cell) ? cell.failure : undefined
}

const readCell = (text: string, field: Field, context: ReadContext): Read | undefined => {
  const read = readText(text, asRead(field), context)
  if (read === undefined || "refused" in read) return read
  const problem = problemOf(read.input, field)
  return problem === undefined ? read : { refused: `${quoted(text)} ${problem}` }
}

/** Entries that say no more than a text are that text: written again, they stay what they are (11.2). */
const plainEntry = (entry: unknown): unknown => {
  if (typeof entry !== "object" || entry === null) return entry
  const { email, phone, type, url, ...more } = entry as Record<string, unknown>
  const isPlain = Object.keys(more).length === 0 && (type === "work" || url !== undefined)
  return isPlain ? (email ?? phone ?? url) : entry
}
const plainInput = (input: unknown) => (Array.isArray(input) ? input.map(plainEntry) : input)

/** Cells behind the last column have no field that they could go to. */
const strayText = ({ cells }: ReadRow, width: number) => cells.slice(width).find((text) => text.trim() !== "")

export const readRecord = (row: ReadRow, { context, definition, targets }: RowReading): ParsedRow => {
  const inputs: Record<string, unknown> = {}
  const badCells: Array<BadCell> = []
  if (row.fault !== undefined) return { row, inputs, badCells, fault: row.fault }
  const stray = strayText(row, targets.length)
  if (stray !== undefined)
    return {
      ...{ row, inputs, badCells },
      fault: `it has ${row.cells.length} cells where the first line names ${targets.length}; ${quoted(stray)} is in none of the columns`
    }
  for (const [column, field] of targets.entries()) {
    if (field === undefined || !definition.byId.has(field.field_id)) continue
    const value = row.cells[column] ?? ""
    const read: Read | undefined =
      row.nulColumns?.includes(column) === true
        ? { refused: `${quoted(value)} contains the character U+0000` }
        : readCell(value, field, context)
    if (read === undefined) continue
    if ("input" in read) inputs[field.slug] = plainInput(read.input)
    else badCells.push({ column, field, value, message: read.refused, missing: read.missing ?? [] })
  }
  return { row, inputs, badCells }
}

/** Input with which the form of a new record begins: a status is the first that does not mean completed. */
const defaultOf = ({ field_type, settings }: Field): unknown => {
  if (field_type !== "status") return undefined
  const { options } = settings as { options: ReadonlyArray<{ id: number; means_completed?: boolean }> }
  return (options.find(({ means_completed }) => means_completed !== true) ?? options[0])?.id
}

/** The inputs of a new record, with the defaults of required fields that it lacks; or the field that needs a value. */
export const withDefaults = (
  definition: AppDefinition,
  inputs: FieldInputs
): { readonly inputs: FieldInputs } | { readonly missing: Field } => {
  const complete: Record<string, unknown> = { ...inputs }
  for (const field of definition.fields) {
    if (!field.required || !typeOf(field).assignable || Object.hasOwn(complete, field.slug)) continue
    const input = defaultOf(field)
    if (input === undefined) return { missing: field }
    complete[field.slug] = input
  }
  return { inputs: complete }
}
