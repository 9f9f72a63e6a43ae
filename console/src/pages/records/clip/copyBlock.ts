// Copies cells: as texts that an import and a paste read again, and with their entries for a paste in this tab, which loses nothing.

import type { Names } from "../../../../../src/domain/imports/csvField.ts"
import { marked } from "../../../../../src/domain/imports/csvText.ts"
import type { RecordRow } from "../../../api/types.ts"
import { cellText } from "../csv/csvCells.ts"
import type { Column } from "../grid/look.ts"
import type { Entries } from "../writes/CellWrite.ts"
import type { PastedCell } from "./readPaste.ts"
import { readTsv, type TextBlock, writeHtml, writeTsv } from "./tsv.ts"

/** Numbers and phone numbers, which no spreadsheet runs. */
const PHONE = /^[+-][\d\s().,/-]*$/

/** Names as they are; a paste says where a title stands for several records. */
const names: Names = { person: () => ({ refused: "" }), related: (_, text) => ({ refused: text }) }

let lastCopy: { readonly text: string; readonly cells: ReadonlyArray<ReadonlyArray<PastedCell>> } | undefined

const textOf = (record: RecordRow, { field, index }: Column, entries: Entries): string => {
  if (field === undefined) return index === 0 ? record.title : ""
  const { external_id, field_id, field_type } = field
  const text = cellText({ external_id, field_id, field_type, values: entries } as any, field, names)
  return PHONE.test(text) ? text : marked(text)
}

/** @param entriesOf entries that the reader sees in a cell */
export const copyBlock = (
  rows: ReadonlyArray<RecordRow>,
  columns: ReadonlyArray<Column>,
  entriesOf: (record: RecordRow, column: Column) => Entries
): { readonly text: string; readonly html: string } => {
  const cells = rows.map((record) =>
    columns.map((column): PastedCell => {
      const entries = entriesOf(record, column)
      const text = textOf(record, column, entries)
      return column.field === undefined ? { text } : { text, own: { field: column.field, entries } }
    })
  )
  const texts: TextBlock = cells.map((row) => row.map(({ text }) => text))
  const text = writeTsv(texts)
  lastCopy = { text, cells }
  return { text, html: writeHtml(texts) }
}

const withoutReturns = (text: string) => text.replaceAll("\r\n", "\n")

const isLastCopy = (text: string) => lastCopy !== undefined && withoutReturns(lastCopy.text) === withoutReturns(text)

/** Content that a paste takes from the clipboard. */
export interface Pasted {
  readonly text: string
  readonly html: string
}

/** An empty text is an empty cell where a table says so; a clipboard with a picture alone has one too. */
export const holdsCells = ({ html, text }: Pasted): boolean => text !== "" || /<t[dh][\s>]/i.test(html)

/** Cells of a text that is pasted, with their entries if this tab has copied it. */
export const pastedCells = (text: string): ReadonlyArray<ReadonlyArray<PastedCell>> =>
  lastCopy !== undefined && isLastCopy(text)
    ? lastCopy.cells
    : readTsv(text).map((row) => row.map((cell) => ({ text: cell })))
