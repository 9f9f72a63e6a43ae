// The URL parser of the script environment: text in, text out (developer-api.md 8.2).
const MOST = 65_536
const PARTS = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash"
] as const

/** JSON of the parts, or the empty string. */
export const parseUrl = (input: unknown, base: unknown, part: unknown, value: unknown): string => {
  if (typeof input !== "string" || input.length > MOST) return ""
  if (typeof value === "string" && value.length > MOST) return ""
  try {
    const url = new URL(input, typeof base === "string" && base.length <= MOST ? base : undefined)
    const name = PARTS.find((p) => p === part)
    if (name !== undefined && name !== "origin") url[name] = String(value)
    return JSON.stringify(Object.fromEntries(PARTS.map((p) => [p, url[p]])))
  } catch {
    return ""
  }
}
