// Blocks of cells as tab-separated text, as Excel and Google Sheets put them on the clipboard: a cell with a tab, a line end or a quote at its
// beginning stands in quotes, and a quote in it twice. Read in linear time.

export type TextBlock = ReadonlyArray<ReadonlyArray<string>>

const NEEDS_QUOTES = /^"|[\t\r\n]/

export const writeTsv = (block: TextBlock): string =>
  block
    .map((row) => row.map((cell) => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join("\t"))
    .join("\r\n")

/**
 * Position of the quote that ends a cell in quotes; -1 if none ends it. Linear for all cells of a text: a search goes beyond the next cell that
 * begins with a quote only where that cell begins with two, whose own search ends at once.
 */
const closingQuote = (text: string, from: number): number => {
  for (let position = text.indexOf('"', from); position >= 0; position = text.indexOf('"', position + 1)) {
    const next = text[position + 1]
    if (next === '"') position++
    else return next === undefined || next === "\t" || next === "\r" || next === "\n" ? position : -1
  }
  return -1
}

/** Position of the next tab or line end. */
const cellEnd = (text: string, from: number): number => {
  const separator = /[\t\r\n]/g
  separator.lastIndex = from
  return separator.exec(text)?.index ?? text.length
}

/** The rows of a text; a line end after the last one is none. */
export const readTsv = (text: string): TextBlock => {
  const rows: Array<Array<string>> = [[]]
  let position = 0
  while (position <= text.length) {
    const closing = text[position] === '"' ? closingQuote(text, position + 1) : -1
    const end = closing < 0 ? cellEnd(text, position) : closing + 1
    rows.at(-1)!.push(closing < 0 ? text.slice(position, end) : text.slice(position + 1, closing).replaceAll('""', '"'))
    const separator = text[end]
    position = end + (separator === "\r" && text[end + 1] === "\n" ? 2 : 1)
    if (separator === undefined) break
    if (separator !== "\t") {
      if (position >= text.length) break
      rows.push([])
    }
  }
  return rows
}

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", "<br>")

/** Names the tables that a grid of the console has written, in any tab. */
const OWN = 'data-source="millrace"'
export const isOwnTable = (html: string) => html.includes(OWN)

/** Writes the block as a table, which keeps line ends of cells in documents and mails. */
export const writeHtml = (block: TextBlock): string =>
  `<table ${OWN}>${block.map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`).join("")}</table>`
