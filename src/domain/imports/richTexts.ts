// Formatted texts in a file. One of paragraphs alone is its lines; any other is its markup between `<html>` and `</html>`, so that
// what is exported comes back as it was.
import { htmlOf } from "../../platform/text/paragraphs.ts"

const MARKUP = /^<html>(.*)<\/html>$/is

/** The markup of a cell: its own, or a paragraph for each line. */
export const readMultiText = (text: string): string => MARKUP.exec(text)?.[1] ?? htmlOf(text)

const escapes: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" }

/** The lines of paragraphs, markup and all. */
const linesOf = (html: string) =>
  html
    .replaceAll("</p><p>", "\n")
    .replaceAll(/^<p>|<\/p>$/g, "")
    .replaceAll(/&(?:amp|lt|gt);/g, (sign) => escapes[sign]!)

/** The cell that `readMultiText` makes this markup of. */
export const multiText = (html: string): string => {
  const lines = linesOf(html)
  return readMultiText(lines.trim()) === html ? lines.trim() : `<html>${html}</html>`
}
