// Tells by column what would become of the first rows of a file (developer-api.md 4.2). Pure.
import type { Field } from "../records/fields/model/Field.ts"
import type { AppDefinition } from "../records/model/AppDefinition.ts"
import { guessType } from "./columnGuess.ts"
import type { Names } from "./csvField.ts"
import { estimateRows } from "./csvFormat.ts"
import { type CsvPosition, isEmptyRow, type WindowRows } from "./csvWindow.ts"
import type { ImportFormat, ImportInput, ImportMisfit, ImportPreview, PreviewColumn } from "./importSchemas.ts"
import type { SourceFile } from "./importSources.ts"
import { addableOptions, isMendedBy } from "./missingOptions.ts"
import { readingOf } from "./readContext.ts"
import { type BadCell, type ParsedRow, readRecord, withDefaults } from "./rowReading.ts"
import { shownText } from "./shownText.ts"

const SAMPLES = 3
const PROBLEMS = 5
const SHOWN_OPTIONS = 50

interface SeenFile {
  readonly definition: AppDefinition
  readonly file: SourceFile
  readonly format: ImportFormat
  readonly head: ReadonlyArray<string>
  /** Position behind the head. */
  readonly start: CsvPosition
  readonly read: Pick<WindowRows, "rows" | "next">
  readonly targets: ReadonlyArray<Field | undefined>
}

const misfitOf = (line: number, value: string, message: string): ImportMisfit => ({
  line,
  value: shownText(value),
  message
})

/** Reason that a row would not be imported, as far as it can be told before the write. */
const refusalOf = (
  definition: AppDefinition,
  { badCells, fault, inputs }: ParsedRow,
  input: ImportInput,
  isMended: (cell: BadCell) => boolean
) => {
  if (fault !== undefined) return fault
  const [badCell] = badCells
  if (input.on_bad_cell === "skip_row" && badCell !== undefined && !isMended(badCell))
    return `${badCell.field.label}: ${badCell.message}`
  if ((input.update_by ?? []).length > 0) return undefined
  const mendedFields = badCells.filter(isMended).map(({ field }) => [field.slug, true] as const)
  const completion = withDefaults(definition, { ...inputs, ...Object.fromEntries(mendedFields) })
  return "missing" in completion ? `${completion.missing.label}: it needs a value` : undefined
}

export const previewOf = (seenFile: SeenFile, names: Names, input: ImportInput): ImportPreview => {
  const { definition, file, format, head, read, start, targets } = seenFile
  const context = readingOf(format, names)
  const rows = read.rows.filter((row) => !isEmptyRow(row))
  const records = rows.map((row) => readRecord(row, { definition, targets, context }))
  const badCells = records.flatMap(({ badCells, row }) => badCells.map((cell) => ({ ...cell, line: row.line })))
  // Keeps the order of the file, as the import adds them.
  const addable = addableOptions(badCells)
  const isMendedByThese = isMendedBy(addable)
  const isMended = (cell: BadCell) => input.create_missing_options === true && isMendedByThese(cell)
  const refusals = records.flatMap((record) => {
    const why = refusalOf(definition, record, input, isMended)
    return why === undefined ? [] : [misfitOf(record.row.line, record.row.cells[0] ?? "", why)]
  })
  const columnOf = (column: string, at: number): PreviewColumn => {
    const texts = rows.map(({ cells }) => cells[at] ?? "").filter((text) => text.trim() !== "")
    const misfits = badCells.filter(({ column }) => column === at)
    const unmendedCells = misfits.filter((cell) => !isMended(cell))
    const target = targets[at]
    const missing = target === undefined ? [] : (addable.get(target) ?? [])
    return {
      column,
      number: at + 1,
      samples: [...new Set(texts)].slice(0, SAMPLES).map(shownText),
      field_id: target?.field_id ?? null,
      guessed_type: guessType(texts, context),
      fits: texts.length - unmendedCells.length,
      empty: rows.length - texts.length,
      misfits: unmendedCells.length,
      problems: unmendedCells.slice(0, PROBLEMS).map(({ line, message, value }) => misfitOf(line, value, message)),
      missing_options: missing.slice(0, SHOWN_OPTIONS)
    }
  }
  return {
    file_id: file.temporary_id,
    format,
    rows: rows.length,
    rows_estimated: estimateRows(file.size, start, read),
    rows_skipped: refusals.length,
    problems: refusals.slice(0, PROBLEMS),
    columns: head.map(columnOf)
  }
}
