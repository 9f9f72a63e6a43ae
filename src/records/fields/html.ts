// HTML of `multi_text`: what may stay in it, and the text that filters and titles see (developer-api.md 3.2, decisions A11).
import { decodeHTML } from "entities"
import sanitize from "sanitize-html"

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

/** The text without tags: a tag ends a word, entities are decoded, white space counts as one blank. */
export const htmlText = (html: string) =>
  decodeHTML(html.replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim()

/** The first line: blocks and breaks end lines. */
export const htmlFirstLine = (html: string) =>
  html
    .split(/<br\s*\/?>|<\/(?:p|div|h[1-6]|li|tr|pre|blockquote)>|<hr\s*\/?>|\r?\n/i)
    .map((line) => htmlText(line.replaceAll(/<\/?(?:b|strong|i|em|u|s|span|a|code|mark|small|sub|sup)\b[^>]*>/gi, "")))
    .find((line) => line !== "") ?? ""
