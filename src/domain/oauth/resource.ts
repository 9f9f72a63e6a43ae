// The two resources a token works at (service.md 4.1, 9; decisions O3, O27). Clients spell them as URLs may be spelled (RFC 3986 6.2): scheme
// and host in any case, the port of the scheme, a slash at the end. A query or a fragment makes another resource, and so does another path.

export interface Origins {
  readonly baseUrl: string
  readonly mcpUrl: string
}

export const resourcesOf = ({ baseUrl, mcpUrl }: Origins) => [`${baseUrl}/v1`, `${mcpUrl}/mcp`] as const

const parts = /^([a-z][a-z0-9+.-]{0,20}):\/\/([^/?#@\\]*)(\/[^?#\\]*)?$/i

/** Normalizes only what O27 names: a URL parser would also accept dot segments, backslashes and blanks. */
const normalized = (text: string): string | undefined => {
  const [, scheme, authority, path = ""] = parts.exec(text) ?? []
  if (scheme === undefined || authority === undefined) return undefined
  const origin = `${scheme}://${authority}`
  if (/[^\x21-\x7e]/.test(text) || !URL.canParse(origin)) return undefined
  return new URL(origin).origin + (path.endsWith("/") ? path.slice(0, -1) : path)
}

export const isResource = (text: string, origins: Origins): boolean => {
  const sentResource = normalized(text)
  return sentResource !== undefined && resourcesOf(origins).some((own) => normalized(own) === sentResource)
}
