// Keeps an answer useful to a model: nothing is left out of its structure, but long texts are cut, with a mark that says how
// long they were, harder the bigger the whole is. No half of a character stays behind: strict readers of JSON refuse the whole answer for it.

/** Characters of JSON that an answer aims to stay under, and the lengths that texts are cut to, one after another. */
const answerBudget = 60_000
const textLimits = [4000, 1000, 250, 60]

const cutText = (text: string, limit: number) =>
  text.length <= limit ? text : `${text.slice(0, limit).toWellFormed()}… [cut: ${text.length} characters in all]`

/** Texts under these names are never cut: a call depends on them. */
const uncutKeys = new Set([
  ...["id", "external_id", "action_id", "delivery_id", "cursor"],
  ...["record_url", "url", "webhook_url", "download_url", "link"]
])

const isLong = (key: string | undefined, value: string, limit: number) =>
  value.length > limit && !(key !== undefined && uncutKeys.has(key))

/** True if a text of the value is longer than the limit. */
const hasLong = (value: unknown, limit: number, key?: string): boolean => {
  if (typeof value === "string") return isLong(key, value, limit)
  if (typeof value !== "object" || value === null) return false
  return Array.isArray(value)
    ? value.some((one) => hasLong(one, limit))
    : Object.entries(value).some(([name, one]) => hasLong(one, limit, name))
}

const cut = (value: unknown, limit: number, key?: string): unknown => {
  if (typeof value === "string") return isLong(key, value, limit) ? cutText(value, limit) : value
  if (Array.isArray(value)) return value.map((one) => cut(one, limit))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one, limit, name)]))
}

/** The value with its long texts cut as far as the budget asks, and its JSON; the first limit always holds. */
export const boundAnswer = (value: unknown): { readonly value: unknown; readonly text: string } => {
  let out = { value, text: "" }
  for (const limit of textLimits) {
    const { value: last } = out
    const next = hasLong(last, limit) ? cut(last, limit) : last
    if (next !== last || out.text === "") out = { value: next, text: JSON.stringify(next) }
    if (out.text.length <= answerBudget) break
  }
  return out
}
