// Decides which headers a hook may add to its POSTs (decisions W11): none that sets the target, the framing or the forwarding of the
// request, and none of the body, the signature or a session. Pure.
import { refusedHeader } from "../../platform/outbound/requestHeaders.ts"

export const HEADERS_MOST = 20

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Visible characters, with blanks between them. */
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

/** Prefixes of signatures and bodies (`svix-` names the same signature), and of what a proxy adds about the request. */
const PREFIXES = ["webhook-", "svix-", "content-", "x-forwarded-", "x-original-", "x-rewrite-", "sec-", "x-middleware-"]
const NAMES: ReadonlySet<string> = new Set([
  ...["cookie", "cookie2", "set-cookie", "set-cookie2", "date", "forwarded", "via", "x-forwarded", "forwarded-for"],
  ...["x-real-ip", "x-client-ip", "client-ip", "x-cluster-client-ip", "true-client-ip", "cf-connecting-ip"],
  ...["fastly-client-ip", "x-remote-ip", "x-remote-addr", "x-originating-ip", "x-host", "x-http-method-override"],
  ...["x-http-method", "x-method-override"]
])

/** Headers that no hook sets. */
export const isReservedHeader = (header: string): boolean => {
  const name = header.toLowerCase()
  return (
    NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix)) || refusedHeader({ [name]: "" }) !== undefined
  )
}

/** Reason that the header cannot be sent, or undefined. @param value undefined if it is not known */
export const headerProblem = (name: string, value: string | undefined): string | undefined => {
  if (!NAME.test(name)) return "is no name of a header"
  if (isReservedHeader(name))
    return "cannot be set: it belongs to the connection, a proxy, a session, the body or the signature"
  if (value !== undefined && !VALUE.test(value))
    return "its value must be of visible ASCII characters, blanks between them"
  return undefined
}

/** The first name that stands twice, whatever its case. */
export const repeatedHeader = (names: ReadonlyArray<string>): string | undefined => {
  const lowerNames = new Set<string>()
  for (const name of names) {
    if (lowerNames.has(name.toLowerCase())) return name
    lowerNames.add(name.toLowerCase())
  }
  return undefined
}
