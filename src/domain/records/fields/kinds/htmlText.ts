// HTML of `multi_text`: the text that filters and titles see of it (developer-api.md 3.2). What may stay in it: text/sanitize.ts.
import { betweenTags, replaceTags } from "../../../../ground/text/markup.ts"
import { textOf } from "../input/writeInput.ts"

/** Characters of a value. */
export const HTML_AT_MOST = 150_000

/** Markup as it is written, before it is cleaned. */
export const htmlOf = (input: unknown) => textOf(input, HTML_AT_MOST, "an HTML string")

/** The text that filters and titles see. */
export const htmlText = betweenTags

const lineEnd = /<br\s*\/?>|<\/(?:p|div|h[1-6]|li|tr|pre|blockquote)>|<hr\s*\/?>|\r?\n|$/gi
const inline = /<\/?(?:b|strong|i|em|u|s|span|a|code|mark|small|sub|sup)\b/gi

/** The first line: blocks and breaks end lines. */
export const htmlFirstLine = (html: string): string => {
  let from = 0
  for (const { 0: end, index } of html.matchAll(lineEnd)) {
    const line = index === from ? "" : betweenTags(replaceTags(html.slice(from, index), inline, ""))
    if (line !== "") return line
    from = index + end.length
  }
  return ""
}
