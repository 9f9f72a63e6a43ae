// Redirect URIs: which may be registered, and how they match (decisions O5, O24; RFC 8252 7; service.md 2.2).
import { limits } from "../connections/oauthLimits.ts"
import { dangerOf } from "./redirectSchemes.ts"

/** `http` on a loopback host, taken apart round its port. */
const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?((?:[/?].*)?)$/

/** The characters of RFC 3986, the fragment mark and the wildcard aside. */
const uriCharacters = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/
export const schemeOf = (uri: string) => /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(uri)?.[1]?.toLowerCase()

/** Parameters that the response adds to the query: a URI that has one already would give its app two values. */
const answers: ReadonlySet<string> = new Set(["code", "state", "iss", "error", "error_description"])

/** Names as the laxest parsers read them: separated by `;` too, in any case, trimmed, without `[]`. */
const answerIn = (uri: string): string | undefined => {
  const start = uri.indexOf("?")
  if (start < 0) return undefined
  const names = [...new URLSearchParams(uri.slice(start + 1).replaceAll(";", "&")).keys()]
  return names.map((name) => name.trim().toLowerCase().replace(/\[.*$/s, "")).find((name) => answers.has(name))
}

/** Reason that a URI is no valid redirect URI, or `undefined`: checked at registration, and for stored ones at each use. */
export const redirectUriFault = (uri: string): string | undefined => {
  if (uri.length > limits.redirectUriLength) return `must have at most ${limits.redirectUriLength} characters`
  if (uri.includes("#")) return "must not have a fragment"
  if (uri.includes("*")) return "must not have a wildcard"
  const scheme = schemeOf(uri)
  if (scheme === undefined || !uriCharacters.test(uri) || /%(?![0-9A-Fa-f]{2})/.test(uri))
    return "must be an absolute URI"
  const danger = dangerOf(scheme)
  if (danger !== undefined) return `must not use the scheme ${scheme}, which ${danger}`
  const answer = answerIn(uri)
  if (answer !== undefined) return `must not hold ${answer} in its query`
  if (scheme !== "https" && scheme !== "http") {
    return uri.length === scheme.length + 1 || /^[^:]+:\/*$/.test(uri)
      ? "must name a path or host after its scheme"
      : authorityFault(uri)
  }
  if (!/^https?:\/\/[^/]/i.test(uri) || !URL.canParse(uri)) return "must be an absolute URI with a host"
  const fault = authorityFault(uri)
  if (fault !== undefined) return fault
  if (scheme === "http" && !isLoopbackMatch(uri))
    return "must use https, unless its host is localhost, 127.0.0.1 or [::1]"
  return undefined
}

const isTexts = (sent: unknown): sent is ReadonlyArray<string> =>
  Array.isArray(sent) && sent.length <= 1000 && sent.every((text) => typeof text === "string")

/** Fault of a list of redirect URIs that is sent for registration, or `undefined` if it is valid. */
export const redirectUrisFault = (uris: unknown): string | undefined => {
  if (!isTexts(uris) || uris.length === 0) return "redirect_uris must be a list of at least one URI"
  if (uris.length > limits.redirectUris) return `redirect_uris may list at most ${limits.redirectUris} URIs`
  for (const [i, uri] of uris.entries()) {
    const fault = redirectUriFault(uri)
    if (fault !== undefined) return `redirect_uris[${i}] ${fault}`
  }
  return undefined
}

const authorityFault = (uri: string): string | undefined => {
  const authority = /^[^:]+:\/\/([^/?]*)/.exec(uri)?.[1] ?? ""
  return authority.includes("@") ? "must not have user info" : undefined
}

const isLoopbackMatch = (uri: string) => {
  const match = loopback.exec(uri)
  return match !== null && Number(match[2] ?? 0) <= 65535
}

const withoutPort = (uri: string): string | undefined => {
  const match = loopback.exec(uri)
  return match !== null && Number(match[2] ?? 0) <= 65535 ? `${match[1]}${match[3]}` : undefined
}

/** Exact string match; a loopback URI matches any port. */
export const matchesRegistered = (requested: string, registered: ReadonlyArray<string>): boolean => {
  if (registered.includes(requested)) return true
  const portless = withoutPort(requested)
  return (
    portless !== undefined && uriCharacters.test(requested) && registered.some((uri) => withoutPort(uri) === portless)
  )
}

/** The redirect URI with `params` added to its query. */
export const withParams = (
  uri: string,
  params: ReadonlyArray<readonly [string, string | null | undefined]>
): string => {
  const query = new URLSearchParams()
  for (const [name, value] of params) if (typeof value === "string") query.append(name, value)
  const joint = !uri.includes("?") ? "?" : uri.endsWith("?") || uri.endsWith("&") ? "" : "&"
  return `${uri}${joint}${query}`
}
