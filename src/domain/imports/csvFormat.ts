// Detects how a file is written, by its beginning: encoding, separator, decimal sign, order of day and month. What the caller chose stays.
import { type CsvPosition, readRows, SEPARATOR_LINE, type Separator, separators } from "./csvWindow.ts"
import { guessSlashes } from "./dateTexts.ts"
import { detectEncoding, type Encoding, markLength } from "./encodings.ts"
import type { ImportFormat, ImportFormatInput } from "./importSchemas.ts"
import { guessDecimal } from "./numberTexts.ts"

/** Bytes of a file's beginning by which separator, columns and types are guessed. */
export const SAMPLE_BYTES = 1024 * 1024
/** Rows of it that are looked at. */
export const SAMPLE_ROWS = 500
/** Cells by which decimal sign and order of days are guessed. */
const GUESS_CELLS = 20_000
/** Rows by which a separator is chosen. */
const SEPARATOR_ROWS = 100

export interface Sample {
  readonly bytes: Uint8Array
  /** True if it is the complete file. */
  readonly isLast: boolean
}

const startOf = ({ bytes, isLast }: Sample, encoding: Encoding) => {
  const byte = markLength(bytes, encoding)
  return { bytes: bytes.subarray(byte), isLast, position: { byte, line: 1 } }
}

/** The rows of the sample, the head among them. */
export const sampleRows = (sample: Sample, format: { readonly encoding: Encoding; readonly separator: Separator }) =>
  readRows(startOf(sample, format.encoding), format, SAMPLE_ROWS + 1)

/** Fit of a separator: the share of rows as wide as the head. */
const fitOf = (sample: Sample, encoding: Encoding, separator: Separator) => {
  const { rows } = readRows(startOf(sample, encoding), { encoding, separator }, SEPARATOR_ROWS)
  const width = rows[0]?.cells.length ?? 1
  const fitting = rows.filter(({ cells, fault }) => cells.length === width && fault === undefined).length
  return { separator, width, share: width === 1 ? 0 : fitting / rows.length }
}

const detectSeparator = (sample: Sample, encoding: Encoding): Separator => {
  const { bytes } = startOf(sample, encoding)
  const [, declaredSeparator] =
    SEPARATOR_LINE.exec(new TextDecoder(encoding).decode(bytes.subarray(0, 16)).split("\n")[0]!) ?? []
  if (declaredSeparator !== undefined) return declaredSeparator as Separator
  const fits = (Object.keys(separators) as Array<Separator>).map((one) => fitOf(sample, encoding, one))
  const best = fits.reduce((a, b) => (b.share > a.share || (b.share === a.share && b.width > a.width) ? b : a))
  return best.width === 1 ? "," : best.separator
}

export const detectFormat = (sample: Sample, choice: ImportFormatInput): ImportFormat => {
  const language = choice.language ?? "en"
  const encoding = choice.encoding ?? detectEncoding(sample.bytes, language, sample.isLast)
  const smallSample = {
    bytes: sample.bytes.subarray(0, SAMPLE_BYTES),
    isLast: sample.isLast && sample.bytes.length <= SAMPLE_BYTES
  }
  const separator = choice.separator ?? detectSeparator(smallSample, encoding)
  const cells = sampleRows(smallSample, { encoding, separator })
    .rows.slice(1)
    .flatMap(({ cells }) => cells)
    .slice(0, GUESS_CELLS)
  const decimal = choice.decimal ?? guessDecimal(cells)
  const isMonthFirst = decimal === "." && /^en(-US)?$/i.test(language)
  const day_first =
    choice.day_first ?? (guessSlashes(cells) ?? (isMonthFirst ? "month first" : "day first")) === "day first"
  return { encoding, separator, decimal, day_first, time_zone: choice.time_zone ?? "UTC" }
}

/** Position behind the head. */
export const headEnd = (sample: Sample, format: ImportFormat): CsvPosition =>
  readRows(startOf(sample, format.encoding), format, 1).next

/** Rows of a file, by those between its head and a position. */
export const estimateRows = (
  size: number,
  start: CsvPosition,
  { next, rows }: { readonly next: CsvPosition; readonly rows: ReadonlyArray<unknown> }
): number =>
  Math.max(rows.length, Math.round((rows.length * (size - start.byte)) / Math.max(1, next.byte - start.byte)))
