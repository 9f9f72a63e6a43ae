// Converts values into a form that Postgres can store: JSON without NUL and half surrogate pairs. Pure.

const clean = (text: string): string => text.replaceAll("\u0000", "\ufffd").toWellFormed()

/** Returns the value as JSON, `undefined` as null; characters of texts that cannot be stored are replaced. */
export const storable = (value: unknown): unknown => {
  if (typeof value === "string") return clean(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), storable(item)]))
  }
  return value === undefined ? null : value
}
