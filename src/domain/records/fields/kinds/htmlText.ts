// HTML of `multi_text`: the text that filters and titles see of it (developer-api.md 3.2). What may stay in it: text/sanitize.ts.
import { betweenTags, replaceTags } from "../../../../platform/text/markup.ts"
import { isLonger } from "../input/characters.ts"
import { textOf } from "../input/writeInput.ts"

/**
 * Maximum characters of a value; an escape counts as one character, so that a value that was read can be sent back, and to other fields.
 */
export const HTML_AT_MOST = 150_000
/** Escapes that cleaned markup holds for `&`, `<` and `>`. */
const escapes = /&(?:amp|lt|gt);/g
/** The longest of them. */
const ESCAPE = "&amp;".length
/** Maximum length of an input in which every character is escaped. */
export const HTML_SENT_AT_MOST = ESCAPE * HTML_AT_MOST

/** Markup as it is written, before it is cleaned. */
export const htmlOf = (input: unknown) => {
  const escaped = typeof input === "string" && input.length > HTML_AT_MOST && input.length <= HTML_SENT_AT_MOST
  const fits = escaped && !isLonger(input.replaceAll(escapes, "&"), HTML_AT_MOST)
  return textOf(input, fits ? HTML_SENT_AT_MOST : HTML_AT_MOST, "an HTML string")
}

/** Plain text as markup: each of several lines is a paragraph. */
export const textAsHtml = (text: string): string => {
  const escapedText = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  const lines = escapedText.split(/\r?\n/)
  return lines.length === 1 ? escapedText : lines.map((line) => `<p>${line}</p>`).join("")
}

/** The text that filters and titles see. */
export const htmlText = betweenTags

const lineEnd = /<br\s*\/?>|<\/(?:p|div|h[1-6]|li|tr|pre|blockquote)>|<hr\s*\/?>|\r?\n|$/gi
const inline = /<\/?(?:b|strong|i|em|u|s|span|a|code|mark|small|sub|sup)\b/gi

/** The first line: blocks and breaks end lines. */
export const htmlFirstLine = (html: string): string => {
  let from = 0
  for (const { 0: end, index } of html.matchAll(lineEnd)) {
    const lineText = index === from ? "" : betweenTags(replaceTags(html.slice(from, index), inline, ""))
    if (lineText !== "") return lineText
    from = index + end.length
  }
  return ""
}
