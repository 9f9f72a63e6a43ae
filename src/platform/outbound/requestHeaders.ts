// Decides which headers a request may carry, and which go on to another origin with a redirect (RFC 9110 7.6.1, 15.4; decisions W9).

/** Headers that only the service may set: its address decides where the request goes, the client how it is framed. */
const OURS: ReadonlySet<string> = new Set([
  ...["host", "content-length", "transfer-encoding", "te", "trailer", "expect"],
  ...["connection", "keep-alive", "upgrade", "http2-settings"]
])
const isOurs = (name: string): boolean => OURS.has(name) || name.startsWith("proxy-")

/** Headers that a redirect may carry to another origin: any other may be a credential. */
const HARMLESS: ReadonlySet<string> = new Set(["accept", "accept-language", "content-type", "user-agent"])

/** Headers with names in lower case. @param beside defaults, sent unless they are among them */
export const lowerCased = (
  headers: Readonly<Record<string, string>> = {},
  beside: Readonly<Record<string, string>> = {}
): Readonly<Record<string, string>> => {
  const allHeaders: Record<string, string> = { ...beside }
  for (const name of Object.keys(headers)) allHeaders[name.toLowerCase()] = headers[name]!
  return allHeaders
}

/** First header that callers may not set. */
export const refusedHeader = (headers: Readonly<Record<string, string>> = {}): string | undefined =>
  Object.keys(headers).find((name) => isOurs(name.trim().toLowerCase()))

/** Headers that a redirect's next request keeps; `bodiless`: it has become a GET. */
export const keptHeaders = (
  headers: Readonly<Record<string, string>> = {},
  { bodiless, elsewhere }: { readonly bodiless: boolean; readonly elsewhere: boolean }
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(lowerCased(headers)).filter(
      ([name]) => !(elsewhere && !HARMLESS.has(name)) && !(bodiless && name.startsWith("content-"))
    )
  )
