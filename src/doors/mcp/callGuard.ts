// Who may knock at the MCP endpoint at all: the Host must be ours and the Origin one that DNS rebinding cannot make
// (MCP transports, "Security Warning"; decisions P5; developer-api.md 1.1 lets browser clients of any site in).
const loopback = new Set(["localhost", "127.0.0.1", "[::1]"])

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/** A `Host` header in the spelling of URLs, or `undefined` when it is none. */
const hostOf = (header: string, protocol: string) => {
  const url = /^[^\s/?#@\\]+$/.test(header) ? parse(`${protocol}//${header}`) : undefined
  return url === undefined ? undefined : { host: url.host, hostname: url.hostname, port: url.port }
}

/**
 * Whether a request with this `Host` is meant for us. Only a client older than HTTP/1.1 sends none, and no browser does that.
 * A service on a loopback address may be called by any of its names.
 */
export const hostAllowed = (header: string | undefined, mcpUrl: string): boolean => {
  if (header === undefined) return true
  const own = new URL(mcpUrl)
  const given = hostOf(header, own.protocol)
  if (given === undefined) return false
  return (
    given.host === own.host || (loopback.has(own.hostname) && loopback.has(given.hostname) && given.port === own.port)
  )
}

/**
 * Whether a page of this `Origin` may call. A rebound page has the scheme of the service it reaches and a name that is not
 * ours: over TLS our certificate stops it, so what is left, and refused, is plain http from a host that is not loopback, and
 * opaque origins.
 */
export const originAllowed = (header: string | undefined, own: ReadonlyArray<string>): boolean => {
  if (header === undefined || own.includes(header)) return true
  const url = parse(header)
  if (url === undefined || url.origin !== header) return false
  return url.protocol === "https:" || (url.protocol === "http:" && loopback.has(url.hostname))
}
