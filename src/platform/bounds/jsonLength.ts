// Computes the length of a value's JSON without making it (decisions P7, P8). Pure.
import { maxJsonDepth } from "./jsonText.ts"

/** Most levels that are counted: real data nest less deeply, and stacks are finite. */
export const JSON_LEVELS = 2 * maxJsonDepth

/** Value that JSON.stringify writes for a member. */
export const plainOf = (member: unknown): unknown =>
  typeof (member as any)?.toJSON === "function" ? (member as any).toJSON() : member

/** Length of the JSON, escapes not counted. `deep`: parts that nest deeper are not counted. */
export const jsonLength = (value: unknown) => {
  let deep = false
  const charsOf = (member: unknown, level: number): number => {
    const data = plainOf(member)
    if (typeof data === "string") return data.length + 2
    if (typeof data !== "object" || data === null) return String(data).length
    if (level > JSON_LEVELS) deep = true
    if (deep) return 2
    let chars = 2
    if (Array.isArray(data)) for (const item of data) chars += charsOf(item, level + 1) + 1
    else for (const name in data) chars += name.length + 4 + charsOf((data as Record<string, unknown>)[name], level + 1)
    return chars === 2 ? 2 : chars - 1
  }
  return { length: charsOf(value, 1), deep }
}
