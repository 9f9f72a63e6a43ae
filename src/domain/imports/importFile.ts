// Reads the rows of a stored file from a position on, a window at a time: never the complete file.
import { Effect, Stream } from "effect"
import type { Contents } from "../records/files/Contents.ts"
import type { ReadRow } from "./csvReader.ts"
import { type CsvFormat, type CsvPosition, readRows, type WindowRows } from "./csvWindow.ts"

/** Bytes of a window, at first; it grows where no row ends in it. */
const WINDOW = 256 * 1024
/** Bytes of the least window. */
const WINDOW_LEAST = 16 * 1024
/** Bytes of the largest window, and so of the largest row. */
const WINDOW_MOST = 4 * 1024 * 1024

interface StoredFile {
  readonly storage_key: string
  readonly size: number
}

export const readSpan = (
  contents: Contents["Service"],
  { size, storage_key }: StoredFile,
  start: number,
  length: number
) =>
  start >= size
    ? Effect.succeed(new Uint8Array())
    : Effect.map(
        Stream.runCollect(contents.read(storage_key, { start, length: Math.min(length, size - start) })),
        (parts) => new Uint8Array(Buffer.concat([...parts]))
      )

/** A line that is longer than a window: no file of rows. */
interface LongLine {
  readonly longLine: number
}
export const tooLong = ({ longLine }: LongLine): string =>
  `Line ${longLine} is longer than 4 MB; the file is none of rows.`

/** Bytes that so many rows are likely to take, and a half more. @param read bytes and lines that were read before */
export const windowFor = (rows: number, read: { readonly bytes: number; readonly lines: number }): number => {
  if (read.lines === 0) return WINDOW
  const likelyBytes = Math.ceil((1.5 * rows * read.bytes) / read.lines / 1024) * 1024
  return Math.min(WINDOW, Math.max(WINDOW_LEAST, likelyBytes))
}

/** The next rows, `most` at most; `over` once the file ends behind them. @param window bytes that are read at first */
export const nextRows = Effect.fnUntraced(function* (
  contents: Contents["Service"],
  file: StoredFile,
  format: CsvFormat,
  position: CsvPosition,
  most: number,
  window = WINDOW
): Effect.fn.Return<(WindowRows & { readonly over: boolean }) | LongLine> {
  for (let length = window; ; length = Math.min(WINDOW_MOST, length * 4)) {
    const bytes = yield* readSpan(contents, file, position.byte, length)
    const isFileEnd = position.byte + bytes.length >= file.size
    const isLargest = length >= WINDOW_MOST
    // A quote that is open over the largest window counts as never closed.
    const endedRows = readRows({ bytes, isLast: isFileEnd, position }, format, most)
    const hasNoRow = endedRows.next.byte === position.byte && isLargest && !isFileEnd
    const windowRows = hasNoRow ? readRows({ bytes, isLast: true, position }, format, most) : endedRows
    if (hasNoRow && windowRows.next.byte === position.byte + bytes.length) return { longLine: position.line }
    if (windowRows.next.byte > position.byte || isFileEnd)
      return { ...windowRows, over: isFileEnd && windowRows.next.byte >= file.size }
  }
})

/** The first rows from a position on, as `nextRows` reads them: `most` at most, and no more than begin within so many bytes. */
export const firstRows = Effect.fnUntraced(function* (
  contents: Contents["Service"],
  file: StoredFile,
  format: CsvFormat,
  position: CsvPosition,
  bounds: { readonly rows: number; readonly bytes: number }
): Effect.fn.Return<Pick<WindowRows, "rows" | "next"> | LongLine> {
  const rows: Array<ReadRow> = []
  let next = position
  for (let isOver = false; !isOver && rows.length < bounds.rows && next.byte - position.byte < bounds.bytes; ) {
    const read = yield* nextRows(contents, file, format, next, bounds.rows - rows.length)
    if ("longLine" in read) return read
    rows.push(...read.rows)
    next = read.next
    isOver = read.over
  }
  return { rows, next }
})
