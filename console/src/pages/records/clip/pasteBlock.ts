// Pastes a block of cells into a grid: what fits is written, rows beyond the end become new records, the rest is reported with place and reason.
import type { App, Field, FieldInput, RecordRow } from "../../../api/types.ts"
import { pasteBlock as pageTexts } from "../../../texts/records/clip.ts"
import { errorWords } from "../../../ui/errorWords.ts"
import { changeCells, type NewValue } from "../edits/changes.ts"
import { createRecords } from "../edits/moveRecords.ts"
import { newRecordFields } from "../edits/newRecord.ts"
import type { Column } from "../grid/look.ts"
import type { Range } from "../grid/selection.ts"
import { holdsCells, type Pasted, pastedCells } from "./copyBlock.ts"
import { MOST_CHARS, type PasteTargets, pasteTargets, tooMuch } from "./pasteTargets.ts"
import { makeReader, type PastedCell, type ReadCell } from "./readPaste.ts"
import { type GridReport, type Problem, reportOf } from "./report.ts"
import { isOwnTable } from "./tsv.ts"

export interface Sheet {
  readonly app: App
  readonly columns: ReadonlyArray<Column>
  readonly total: number
  /** True while a search loads: the rows that are seen are those of the search before. */
  readonly isFormer: boolean
  /** Records are listed as the API lists them: the newest first. */
  readonly isNewestFirst: boolean
  readonly load: (from: number, to: number) => Promise<ReadonlyArray<RecordRow>>
}

const placeOf = (field: Field, row: number) => pageTexts.labelRow(field.label, (row + 1).toLocaleString())

type Row = ReadonlyArray<{ readonly field: Field; readonly read: ReadCell }>

const readerFor = (
  cells: ReadonlyArray<ReadonlyArray<PastedCell>>,
  targets: PasteTargets,
  columns: ReadonlyArray<Column>,
  isExport: boolean
) =>
  makeReader(
    columns.slice(targets.range.left, targets.range.right + 1).flatMap(({ field, index }) => {
      if (field === undefined) return []
      const { column } = targets.sourceOf(targets.range.top, index)
      return [{ field, texts: cells.map((row) => row[column]?.text ?? "") }]
    }),
    isExport
  )

export const pasteBlock = async (sheet: Sheet, selected: Range, pasted: Pasted): Promise<GridReport> => {
  const { text } = pasted
  const refuse = (summary: string): GridReport => ({ summary, problems: [] })
  if (text.length > MOST_CHARS) return refuse(pageTexts.atMostCharsCharacters(MOST_CHARS.toLocaleString()))
  if (!holdsCells(pasted)) return refuse(pageTexts.clipboardHoldsNoText)
  const cells = pastedCells(text)
  const width = cells.reduce((most, row) => Math.max(most, row.length), 0)
  const targets = pasteTargets({ rows: cells.length, columns: width }, selected, sheet.columns.length)
  const { range } = targets
  const refusal = tooMuch({ ...range, right: range.right + targets.cutColumns })
  if (refusal !== undefined) return refuse(refusal)
  const read = await readerFor(cells, targets, sheet.columns, isOwnTable(pasted.html))
  const rows = await sheet.load(range.top, range.bottom + 1)
  const problems: Array<Problem> = []
  /** Cells of a row, with what does not fit reported. */
  const readRow = (row: number): Row =>
    sheet.columns.slice(range.left, range.right + 1).flatMap(({ field, index, label }) => {
      const source = targets.sourceOf(row, index)
      const cell = cells[source.row]?.[source.column]
      if (cell === undefined) return []
      const answer: ReadCell = field === undefined ? { refused: pageTexts.itIsNotEdited } : read(cell, field)
      if (!("refused" in answer)) return [{ field: field!, read: answer }]
      problems.push({ place: pageTexts.labelRow(label, (row + 1).toLocaleString()), reason: answer.refused })
      return []
    })
  let allTargets = targets.cutColumns * (range.bottom - range.top + 1)
  const values: Array<NewValue> = []
  const newRows: Array<{ readonly row: number; readonly cells: Row }> = []
  for (let row = range.top; row <= range.bottom; row++) {
    const formerEntries = problems.length
    const rowCells = readRow(row)
    allTargets += rowCells.length + problems.length - formerEntries
    const record = rows[row - range.top]
    if (record === undefined) newRows.push({ row, cells: rowCells })
    else
      for (const { field, read } of rowCells)
        if ("input" in read) values.push({ record, field, input: read.input, shown: read.shown })
  }
  const created = await createRows(sheet, newRows, problems)
  changeCells(sheet.app.app_id, pageTexts.paste, values, created)
  if (targets.cutColumns > 0)
    for (let row = range.top; row <= range.bottom; row++)
      for (let cut = 0; cut < targets.cutColumns; cut++)
        problems.push({ place: pageTexts.rowRow((row + 1).toLocaleString()), reason: pageTexts.thereIsNoColumn })
  return reportOf(pageTexts.pasted, allTargets, problems, created.length)
}

/** Makes the rows beyond the end records; a row that cannot become one is reported by its cells. */
const createRows = async (
  { app, isNewestFirst }: Sheet,
  rows: ReadonlyArray<{ readonly row: number; readonly cells: Row }>,
  problems: Array<Problem>
): Promise<ReadonlyArray<number>> => {
  const inputs: Array<Readonly<Record<string, FieldInput>>> = []
  const used: Array<(typeof rows)[number]> = []
  const refuse = ({ cells, row }: (typeof rows)[number], reason: string) => {
    for (const { field } of cells) problems.push({ place: placeOf(field, row), reason })
  }
  for (const row of rows) {
    const sentCount = row.cells.flatMap(({ field, read }) =>
      "input" in read && read.input !== null ? [[field.external_id, read.input] as const] : []
    )
    const fields = newRecordFields(app, Object.fromEntries(sentCount))
    if ("missing" in fields) refuse(row, pageTexts.newRecordNeedsMissing(fields.missing))
    else if (sentCount.length > 0) {
      inputs.push(fields.fields)
      used.push(row)
    }
  }
  if (inputs.length === 0) return []
  const [ordered, orderedRows] = isNewestFirst ? [inputs.toReversed(), used.toReversed()] : [inputs, used]
  const { failure, ids } = await createRecords(app.app_id, ordered)
  if (failure !== undefined) for (const row of orderedRows.slice(failure.from)) refuse(row, errorWords(failure.error))
  return ids
}
