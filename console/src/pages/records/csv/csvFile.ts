// A CSV file read as it is needed, a piece at a time, so that the page stays alive and no file is too large. One way in for the
// look at its beginning, the check and the import.
import { type CsvRow, unmarked } from "../../../ui/csvText.ts"
import { CsvReader, type ReadRow } from "./csvReader.ts"
import { type Bytes, bytesOf, type Encoding, encodingOf, textOf } from "./encodings.ts"

/** Names of separators as people know them, by the character. */
export const separators = { ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Vertical bar" } as const
export type Separator = keyof typeof separators

/** Encoding and separator that turn the bytes of a file into cells. */
export interface CsvFormat {
  readonly encoding: Encoding
  readonly separator: Separator
}

/** Characters at the start of a file that are examined for its format. */
const BEGINNING = 64 * 1024
/** A first line by which spreadsheets say what separates: `sep=;` */
const SAID = /^sep=([,;\t|])\r?\n/

const isBlank = (text: string) => text.trim() === ""
const isEmptyLine = ({ cells, fault }: ReadRow) => cells.length === 1 && isBlank(cells[0]!) && fault === undefined
/** Separators with nothing between: spreadsheets leave such rows behind. */
export const isEmpty = ({ cells, fault }: ReadRow) => cells.every(isBlank) && fault === undefined

/** Its rows in pieces, from the head on, without empty lines. */
async function* rowsOfText(texts: AsyncIterable<string>, separator: Separator) {
  const reader = new CsvReader(separator)
  const kept = (rows: ReadonlyArray<ReadRow>) =>
    rows
      .filter((row) => !isEmptyLine(row) && !(row.line === 1 && SAID.test(`${row.cells.join(separator)}\n`)))
      .map((row) => ({ ...row, cells: row.cells.map(unmarked) }))
  for await (const text of texts) {
    const rows = kept(reader.push(text))
    if (rows.length > 0) yield rows
  }
  const lastRows = kept(reader.end())
  if (lastRows.length > 0) yield lastRows
}

/** Each piece is read once the one before was taken. */
export async function* piecesOf(
  bytes: Bytes,
  { encoding, separator }: CsvFormat,
  signal?: AbortSignal
): AsyncGenerator<ReadonlyArray<ReadRow>, void> {
  for await (const rows of rowsOfText(textOf(bytes, encoding), separator)) {
    signal?.throwIfAborted()
    yield rows
  }
}

/** Fit of a separator with the start of a file: the share of rows as wide as the head. */
const fitOf = (beginning: string, separator: Separator) => {
  const rows = new CsvReader(separator).push(beginning).filter((row) => !isEmptyLine(row))
  const width = rows[0]?.cells.length ?? 1
  const fitting = rows.filter(({ cells, fault }) => cells.length === width && fault === undefined).length
  return { separator, width, share: width === 1 ? 0 : fitting / rows.length }
}

const separatorOf = (beginning: string): Separator => {
  const declaredSeparator = SAID.exec(beginning)?.[1]
  if (declaredSeparator !== undefined) return declaredSeparator as Separator
  const fits = (Object.keys(separators) as Array<Separator>).map((one) => fitOf(beginning, one))
  const best = fits.reduce((a, b) => (b.share > a.share || (b.share === a.share && b.width > a.width) ? b : a))
  return best.width === 1 ? "," : best.separator
}

const beginningOf = async (texts: AsyncIterable<string>): Promise<string> => {
  let beginning = ""
  for await (const text of texts) {
    beginning += text
    if (beginning.length >= BEGINNING) return beginning
  }
  return `${beginning}\n`
}

/** Its format, found out as far as it was not chosen. */
export const formatOf = async (file: Blob, language: string, chosen: Partial<CsvFormat> = {}): Promise<CsvFormat> => {
  const encoding = chosen.encoding ?? (await encodingOf(bytesOf(file), language))
  const separator = chosen.separator ?? separatorOf(await beginningOf(textOf(bytesOf(file), encoding)))
  return { encoding, separator }
}

export interface Beginning {
  readonly head: CsvRow
  /** Some rows to look at. */
  readonly rows: ReadonlyArray<CsvRow>
  /** Some of its texts with letters that encodings differ in. */
  readonly letters: ReadonlyArray<string>
}

/** Its head and some of what it holds. */
export const lookAt = async (file: Blob, format: CsvFormat): Promise<Beginning> => {
  for await (const [head, ...rows] of piecesOf(bytesOf(file), format)) {
    const cells = [head!, ...rows].flatMap(({ cells }) => cells)
    const letters = [...new Set(cells.filter((text) => /[^\p{ASCII}]/u.test(text)))].slice(0, 3)
    return { head: head!.cells, rows: rows.slice(0, 5).map(({ cells }) => cells), letters }
  }
  return { head: [], rows: [], letters: [] }
}
