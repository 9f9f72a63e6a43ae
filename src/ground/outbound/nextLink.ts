// Finds the next page in a `Link` header (RFC 8288): the target of the first link whose relation is `next`. One pass over the header.
import { elementEnd, headerParameters } from "../primitives/headerParameters.ts"

/** @returns the target as it is written, often relative */
export const nextLink = (header = ""): string | undefined => {
  let at = 0
  for (;;) {
    const open = header.indexOf("<", at)
    const close = open < 0 ? -1 : header.indexOf(">", open)
    if (close < 0) return undefined
    const end = elementEnd(header, close + 1)
    const relations = headerParameters(header.slice(close + 1, end))
      .get("rel")
      ?.toLowerCase()
      .split(/\s+/)
    if (relations?.includes("next") === true) return header.slice(open + 1, close).trim()
    at = end + 1
  }
}
