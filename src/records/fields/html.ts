// HTML of `multi_text`: what may stay in it, and the text that filters and titles see (developer-api.md 3.2, decisions A11).
import sanitize from "sanitize-html"
import { betweenTags, replaceTags } from "../../text/markup.ts"

const policy: sanitize.IOptions = {
  allowedTags: [
    ...["p", "br", "hr", "div", "span", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "code"],
    ...["b", "strong", "i", "em", "u", "s", "strike", "del", "ins", "sub", "sup", "mark", "small"],
    ...["ul", "ol", "li", "a", "table", "thead", "tbody", "tfoot", "tr", "th", "td"]
  ],
  allowedAttributes: {
    a: ["href", "title", "target", "rel"],
    ol: ["start"],
    th: ["colspan", "rowspan"],
    td: ["colspan", "rowspan"]
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowProtocolRelative: false,
  nestingLimit: 100,
  transformTags: { a: sanitize.simpleTransform("a", { rel: "noopener noreferrer" }) }
}

export const sanitizeHtml = (html: string) => sanitize(html, policy)

/** The text that filters and titles see. */
export const htmlText = betweenTags

const lineEnd = /<br\s*\/?>|<\/(?:p|div|h[1-6]|li|tr|pre|blockquote)>|<hr\s*\/?>|\r?\n/i
const inline = /<\/?(?:b|strong|i|em|u|s|span|a|code|mark|small|sub|sup)\b/gi

/** The first line: blocks and breaks end lines. */
export const htmlFirstLine = (html: string) =>
  html
    .split(lineEnd)
    .map((line) => betweenTags(replaceTags(line, inline, "")))
    .find((line) => line !== "") ?? ""
