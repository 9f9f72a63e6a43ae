// JSON that Postgres can hold.
import { storableText } from "../text/storableText.ts"

const cleanKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(cleanKeys)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), cleanKeys(item)]))
}

const suspicious = /\\u0000|\\ud[89a-f]/i

/** Value as JSON text for a jsonb parameter; `undefined` is null. */
export const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value ?? null)
  if (!suspicious.test(text)) return text
  return JSON.stringify(cleanKeys(JSON.parse(text)), (_, item) =>
    typeof item === "string" ? storableText(item) : item
  )
}
