// Decides which requests reach the MCP endpoint at all: the Host must be ours and the Origin one that DNS rebinding cannot make (MCP
// transports, "Security Warning"; decisions P5, O26; developer-api.md 1.1 lets browser clients of any site in). Preflights are judged by
// the same rule.
const loopback = new Set(["localhost", "127.0.0.1", "[::1]"])

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/** Origin of an extension or a desktop shell: `chrome-extension://<id>`, `tauri://localhost`, `file://`. */
const ofOtherScheme = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\]*$/i

/**
 * True if a request with this `Host` is meant for us. Only a client older than HTTP/1.1 sends none, and no browser does that. Requests by
 * another loopback name of a loopback service are told the right address (http/serviceHost.ts).
 */
export const hostAllowed = (header: string | undefined, mcpUrl: string): boolean => {
  if (header === undefined) return true
  const ownUrl = new URL(mcpUrl)
  return /^[^\s/?#@\\]+$/.test(header) && parse(`${ownUrl.protocol}//${header}`)?.host === ownUrl.host
}

/**
 * True if a page of this `Origin` may call. A rebound page has the scheme of the service it reaches and a name that is not ours. Over TLS
 * our certificate stops it. So the rule refuses what is left: plain http from a host that is not loopback, and opaque origins. No name
 * server gives an address to an origin of another scheme (O26).
 */
export const originAllowed = (header: string | undefined, own: ReadonlyArray<string>): boolean => {
  if (header === undefined || own.includes(header) || ofOtherScheme.test(header)) return true
  const url = parse(header)
  if (url === undefined || url.origin !== header) return false
  return url.protocol === "https:" || (url.protocol === "http:" && loopback.has(url.hostname))
}
