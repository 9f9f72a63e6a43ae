// Finds the next page in a `Link` header (RFC 8288): the target of the first link whose relation is `next`. One pass over the header.
import { elementEnd, headerParameters } from "../primitives/headerParameters.ts"

/** @returns the target as it is written, often relative */
export const nextLink = (header = ""): string | undefined => {
  let linkStart = 0
  for (;;) {
    const targetStart = header.indexOf("<", linkStart)
    const close = targetStart < 0 ? -1 : header.indexOf(">", targetStart)
    if (close < 0) return undefined
    const end = elementEnd(header, close + 1)
    const relations = headerParameters(header.slice(close + 1, end))
      .get("rel")
      ?.toLowerCase()
      .split(/\s+/)
    if (relations?.includes("next") === true) return header.slice(targetStart + 1, close).trim()
    linkStart = end + 1
  }
}
