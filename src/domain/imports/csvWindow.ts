// Reads rows from a window of a file's bytes. Between two windows there is no state but a position in bytes and lines, so that reading can go
// on anywhere, in any process. Each line is decoded by itself: no encoding carries state over the end of a line.
import { storableText } from "../../platform/text/storableText.ts"
import { CsvReader, type ReadRow } from "./csvReader.ts"
import { unmarked } from "./csvText.ts"
import { type Encoding, encodings } from "./encodings.ts"

/** Names of separators as people know them, by the character. */
export const separators = { ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Vertical bar" } as const
export type Separator = keyof typeof separators

/** Encoding and separator that turn the bytes of a file into cells. */
export interface CsvFormat {
  readonly encoding: Encoding
  readonly separator: Separator
}

export interface CsvPosition {
  readonly byte: number
  /** Line of the file that begins there, from 1. */
  readonly line: number
}

interface CsvWindow {
  readonly bytes: Uint8Array
  /** True if the file ends with the window. */
  readonly isLast: boolean
  readonly position: CsvPosition
}

export interface WindowRows {
  /** Rows that end within the window, without empty lines. */
  readonly rows: ReadonlyArray<ReadRow>
  /** Position after the last of them; that of the window if no row ends in it. */
  readonly next: CsvPosition
  /** True if the last row holds a quote that is not closed before the file ends: reading goes on with the line after its first. */
  readonly unclosed: boolean
}

/** A first line by which spreadsheets name the separator: `sep=;` */
export const SEPARATOR_LINE = /^sep=([,;\t|])\r?\n?$/

const isBlank = (text: string) => text.trim() === ""
const isEmptyLine = ({ cells, fault }: ReadRow) => cells.length === 1 && isBlank(cells[0]!) && fault === undefined
/** Separators with nothing between: spreadsheets leave such rows behind. */
export const isEmptyRow = ({ cells, fault }: ReadRow) => cells.every(isBlank) && fault === undefined

const LF = 10
const CR = 13

/** Index after each line of the bytes, from the first on; a carriage return at the end of a window may have a line feed behind it. */
function* lineEnds({ bytes, isLast }: CsvWindow, encoding: Encoding): Generator<number, void> {
  const wide = encoding.startsWith("utf-16")
  const step = wide ? 2 : 1
  const unitAt = (at: number) =>
    !wide
      ? bytes[at]
      : encoding === "utf-16le"
        ? bytes[at]! | (bytes[at + 1]! << 8)
        : (bytes[at]! << 8) | bytes[at + 1]!
  for (let offset = 0; offset + step <= bytes.length; offset += step) {
    const unit = unitAt(offset)
    if (unit === LF) yield offset + step
    if (unit !== CR) continue
    const isAtEnd = offset + 2 * step > bytes.length
    if (isAtEnd ? isLast : unitAt(offset + step) !== LF) yield offset + step
  }
}

/** Decodes a line; bytes that are none of the encoding fail the row. */
const lineDecoder = (encoding: Encoding) => {
  const strict = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  const lenient = new TextDecoder(encoding, { ignoreBOM: true })
  return (bytes: Uint8Array, reader: CsvReader): string => {
    try {
      return strict.decode(bytes)
    } catch {
      reader.fail(`it is not in the encoding ${encodings[encoding]}; choose another one`)
      return lenient.decode(bytes)
    }
  }
}

/** The row with texts that Postgres can hold; cells that held U+0000 are marked. */
const asKept = (row: ReadRow): ReadRow => {
  const nulColumns = row.cells.flatMap((cell, column) => (cell.includes("\0") ? [column] : []))
  const cells = row.cells.map((cell) => storableText(unmarked(cell)))
  return { ...row, cells, ...(nulColumns.length === 0 ? {} : { nulColumns }) }
}

/** @param most number of rows after which reading stops */
export const readRows = (window: CsvWindow, { encoding, separator }: CsvFormat, most: number): WindowRows => {
  const { bytes, isLast, position } = window
  const decode = lineDecoder(encoding)
  const reader = new CsvReader(separator, position.line)
  const rows: Array<ReadRow> = []
  const keep = (endedRows: ReadonlyArray<ReadRow>) => {
    for (const row of endedRows) {
      const isSeparatorLine = row.line === 1 && SEPARATOR_LINE.test(row.cells.join(separator))
      if (!isEmptyLine(row) && !isSeparatorLine) rows.push(asKept(row))
    }
  }
  let [start, rowStart, afterFirstLine] = [0, 0, 0]
  let next = position
  const push = (end: number) => {
    keep(reader.push(decode(bytes.subarray(start, end), reader)))
    if (start === rowStart) afterFirstLine = end
    start = end
  }
  for (const end of lineEnds(window, encoding)) {
    push(end)
    if (!reader.isBetweenRows) continue
    rowStart = end
    next = { byte: position.byte + end, line: reader.line }
    if (rows.length >= most) return { rows, next, unclosed: false }
  }
  if (!isLast) return { rows, next, unclosed: false }
  if (start < bytes.length) push(bytes.length)
  if (reader.isBetweenRows)
    return { rows, next: { byte: position.byte + bytes.length, line: reader.line }, unclosed: false }
  const { isQuoted } = reader
  const [lastRow] = reader.end()
  if (!isQuoted || afterFirstLine === bytes.length) {
    keep(lastRow === undefined ? [] : [lastRow])
    return { rows, next: { byte: position.byte + bytes.length, line: reader.line }, unclosed: false }
  }
  const firstLine = new CsvReader(separator, next.line)
  const text = decode(bytes.subarray(rowStart, afterFirstLine), firstLine)
  const row = [...firstLine.push(text), ...firstLine.end()][0]!
  keep([{ ...row, fault: lastRow!.fault! }])
  return { rows, next: { byte: position.byte + afterFirstLine, line: next.line + 1 }, unclosed: true }
}
