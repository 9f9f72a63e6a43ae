// Numbers as people send them (developer-api.md 3.2).

/** A number, or the text of one. */
export const numberOf = (input: unknown): number | null => {
  const value =
    typeof input === "string" && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?\s*$/i.test(input) ? Number(input) : input
  return typeof value === "number" && Number.isFinite(value) ? value : null
}
