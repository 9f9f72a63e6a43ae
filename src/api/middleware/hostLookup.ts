// The name in a body that its handler looks up, found before the handler begins (Requires.ts, `looksUp`). What is none is the handler's to refuse.
import type { Requirement } from "./Requires.ts"

const LONGEST = 2_048

/** @param field holds a URL, or a host alone. @returns as in `URL.hostname` */
export const hostOf =
  (field: string) =>
  (body: unknown): string | undefined => {
    const value =
      typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>)[field] : undefined
    if (typeof value !== "string" || value.length > LONGEST) return undefined
    return URL.parse(value)?.hostname || URL.parse(`http://${value}/`)?.hostname || undefined
  }

export const hostIn = ({ looksUp }: Requirement, body: string): string | undefined => {
  if (looksUp === undefined) return undefined
  try {
    return looksUp(JSON.parse(body))
  } catch {
    return undefined
  }
}
