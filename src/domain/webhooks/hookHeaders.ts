// Which headers a hook may add to its POSTs (decisions W11): none that says where the request goes or how it is framed, none of the
// body's or of the signature's. Pure.
import { refusedHeader } from "../../ground/outbound/requestHeaders.ts"

export const HEADERS_MOST = 20

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Visible characters, with blanks between them. */
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

const isOurs = (name: string) =>
  name.startsWith("webhook-") || name.startsWith("content-") || refusedHeader({ [name]: "" }) !== undefined

/** Why a header cannot be sent, or undefined. @param value where it is known */
export const headerProblem = (name: string, value: string | undefined): string | undefined => {
  if (!NAME.test(name)) return "is no name of a header"
  if (isOurs(name.toLowerCase())) return "cannot be set: it belongs to the connection, the body or the signature"
  if (value !== undefined && !VALUE.test(value))
    return "its value must be of visible ASCII characters, blanks between them"
  return undefined
}

/** The first name that stands twice, whatever its case. */
export const repeated = (names: ReadonlyArray<string>): string | undefined => {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name.toLowerCase())) return name
    seen.add(name.toLowerCase())
  }
  return undefined
}
