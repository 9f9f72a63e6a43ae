// A CSV file read as it is needed, a piece at a time, so that the page stays alive and no file is too large.
import Papa from "papaparse"

export type CsvRow = ReadonlyArray<string>

const PIECE = 256 * 1024

/** Its rows in pieces, from the first on; the next piece is read once the last one was taken. */
export async function* piecesOf(file: File, signal: AbortSignal): AsyncGenerator<ReadonlyArray<CsvRow>, void> {
  const ready: Array<ReadonlyArray<CsvRow>> = []
  let over = false
  let failed: unknown
  let wake = () => {}
  let reader: Papa.Parser | undefined
  Papa.parse<Array<string>>(file, {
    skipEmptyLines: "greedy",
    chunkSize: PIECE,
    chunk: ({ data }, parser) => {
      reader = parser
      ready.push(data)
      parser.pause()
      wake()
    },
    complete: () => {
      over = true
      wake()
    },
    error: (error) => {
      failed = error
      over = true
      wake()
    }
  })
  try {
    for (;;) {
      signal.throwIfAborted()
      const piece = ready.shift()
      if (piece !== undefined) {
        yield piece
        reader?.resume()
      } else if (over) {
        if (failed !== undefined) throw failed
        return
      } else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    if (!over) reader?.abort()
  }
}

/** Its head and some rows to look at. */
export const beginningOf = async (file: File) => {
  for await (const [head = [], ...rows] of piecesOf(file, new AbortController().signal))
    return { head, rows: rows.slice(0, 5) }
  return { head: [], rows: [] }
}

/** Numbers are none. */
const FORMULA = /^(?:[=@\t\r]|[+-](?!\d+(?:\.\d+)?$))/

/** Cells that a spreadsheet would take for formulas begin with an apostrophe, which an import takes away again. */
export const csvOf = (rows: ReadonlyArray<CsvRow>): string =>
  `${Papa.unparse(rows as Array<Array<string>>, { escapeFormulae: FORMULA })}\r\n`

/** Gives somebody a file that was made here. */
export const download = (name: string, parts: ReadonlyArray<string>) => {
  const url = URL.createObjectURL(new Blob([...parts], { type: "text/csv;charset=utf-8" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
