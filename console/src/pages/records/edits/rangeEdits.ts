// Changes of the cells of a range: cleared, and filled with what stands in its first row.
import type { RecordRow } from "../../../api/types.ts"
import { rangeEdits as texts } from "../../../texts/records/edits.ts"
import type { Sheet } from "../clip/pasteBlock.ts"
import { tooMuch } from "../clip/pasteTargets.ts"
import { type GridReport, type Problem, reportOf } from "../clip/report.ts"
import { editorOf } from "../editors/catalogue.ts"
import { entriesAsInput } from "../entriesAsInput.ts"
import type { Range } from "../grid/selection.ts"
import { changeCells, type NewValue, seenEntries } from "./changes.ts"

const placeOf = (label: string, row: number) => texts.labelRow(label, (row + 1).toLocaleString())

/** Empties the cells that hold something. */
export const clearRange = async (sheet: Sheet, range: Range): Promise<GridReport | undefined> => {
  const refusal = tooMuch(range)
  if (refusal !== undefined) return { summary: refusal, problems: [] }
  const rows = await sheet.load(range.top, range.bottom + 1)
  const entriesOf = seenEntries()
  const values: Array<NewValue> = []
  const problems: Array<Problem> = []
  for (const [index, record] of rows.entries())
    for (const { field, label } of sheet.columns.slice(range.left, range.right + 1)) {
      if (field !== undefined && entriesOf(record, field).length === 0) continue
      const cellPlace = placeOf(label, range.top + index)
      if (field === undefined || editorOf(field) === undefined)
        problems.push({ place: cellPlace, reason: texts.itIsCalculated })
      else if (field.config.required) problems.push({ place: cellPlace, reason: texts.itNeedsAValue })
      else values.push({ record, field, input: null, shown: [] })
    }
  changeCells(sheet.app.app_id, texts.clear, values)
  return problems.length === 0 ? undefined : reportOf(texts.cleared, values.length + problems.length, problems)
}

/**
 * Repeats rows of a range over other rows.
 * @param source rows that are repeated @param target rows that are filled, in the columns of the source
 */
export const fillRange = async (sheet: Sheet, source: Range, target: Range): Promise<GridReport | undefined> => {
  const refusal = tooMuch(target)
  if (refusal !== undefined) return { summary: refusal, problems: [] }
  const [sources, targets] = await Promise.all([
    sheet.load(source.top, source.bottom + 1),
    sheet.load(target.top, target.bottom + 1)
  ])
  if (sources.length === 0) return undefined
  const entriesOf = seenEntries()
  /** The row that a row repeats: upwards too, the rows stay in their order. */
  const sourceOf = (index: number): RecordRow => {
    const offset = (target.top + index - source.top) % sources.length
    return sources[offset < 0 ? offset + sources.length : offset]!
  }
  const values: Array<NewValue> = []
  const problems: Array<Problem> = []
  for (const [index, record] of targets.entries())
    for (const { field, label } of sheet.columns.slice(source.left, source.right + 1)) {
      const cellPlace = placeOf(label, target.top + index)
      if (field === undefined || editorOf(field) === undefined) {
        problems.push({ place: cellPlace, reason: texts.itIsCalculated })
        continue
      }
      const sourceEntries = entriesOf(sourceOf(index), field)
      const input = entriesAsInput({ field_type: field.field_type, values: sourceEntries })
      if (input === null && field.config.required) problems.push({ place: cellPlace, reason: texts.itNeedsAValue })
      else values.push({ record, field, input, shown: sourceEntries })
    }
  changeCells(sheet.app.app_id, texts.fill, values)
  return problems.length === 0 ? undefined : reportOf(texts.filled, values.length + problems.length, problems)
}
