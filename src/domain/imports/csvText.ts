// CSV as it is written (RFC 4180). A cell that a spreadsheet would run as a formula begins with an apostrophe, which `unmarked` takes
// away again; a text that itself begins so gets one more, so that every text comes back as it was.

export type CsvRow = ReadonlyArray<string>

/** Numbers are no formulas. */
const NUMBER = /^[+-]\d+(?:\.\d+)?$/
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const MARKED = /^'+[=+\-@\t\r\n＝＋－＠]/
/** Separators of other dialects too, so that nobody takes the file for one of those. */
const QUOTED = /^\s|\s$|[",;\t|\r\n]/

/** The text of a cell that no spreadsheet runs. */
export const marked = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text)

/** The text that a cell stands for. */
export const unmarked = (cell: string): string => (MARKED.test(cell) ? cell.slice(1) : cell)

const cellOf = (text: string): string => {
  const cell = marked(text)
  return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A row of one empty cell is no empty line. */
const lineOf = (row: CsvRow): string => (row.length === 1 && row[0] === "" ? '""' : row.map(cellOf).join(","))

/** Lines of a file, each with its end. */
export const csvOf = (rows: ReadonlyArray<CsvRow>): string => rows.map((row) => `${lineOf(row)}\r\n`).join("")

/** Byte order mark, by which spreadsheets recognize UTF-8. */
export const BOM = "\uFEFF"
