// Policy for markup that others write: the HTML of `multi_text` (developer-api.md 3.2, decisions A11). Parsing it takes more than linear
// time where elements nest deeply: long texts go through clean.ts.
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

/** Text and flat paragraphs of it, with nothing to decode or to escape: the parser would return them unchanged. */
const UNCHANGED =
  /^[^<>&]*(?:<p>[^<>&]*(?:(?:<b>[^<>&]*<\/b>|<strong>[^<>&]*<\/strong>|<i>[^<>&]*<\/i>|<em>[^<>&]*<\/em>|<u>[^<>&]*<\/u>)[^<>&]*)*<\/p>[^<>&]*)*$/

/** HTML that the parser leaves, without the fast path for unchanged texts. */
export const sanitizedHtml = (html: string): string => sanitize(html, policy)

export const sanitized = (html: string): string => (UNCHANGED.test(html) ? html : sanitizedHtml(html))
