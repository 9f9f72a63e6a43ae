// Decides a filter without a run, if possible (decisions A8, A10, A12): pairs of conditions on one subject that exclude or complete each
// other, scripts that are a bare `true` or `false`, and groups of these. `undefined`: only a run knows.
import { type Condition, type FilterGroup, type FilterRow, isChange, isGroup, isScript } from "../schema/Filter.ts"
import { fieldKind, isOperatorOf } from "../schema/operators.ts"

export const constantResult = (group: FilterGroup): boolean | undefined => {
  const deciding = group.operator === "or"
  const rows = group.rows.map(settledRow)
  if (rows.includes(deciding)) return deciding
  if (rows.every((row) => row === !deciding)) return rows.length === 0 ? true : !deciding
  return pairDecides(group) ? deciding : undefined
}

const settledRow = (row: FilterRow): boolean | undefined => {
  if (isGroup(row)) return constantResult(row)
  if (!isScript(row)) return undefined
  const [source, ...more] = row.code
  if (more.length > 0 || typeof source !== "string") return undefined
  const text = source.trim()
  return text === "true" ? true : text === "false" ? false : undefined
}

/** Pairs of which never both hold. One of the first pair always holds; an empty cell is neither complete nor incomplete (A10). */
const opposites = [
  { pair: ["is_empty", "is_not_empty"], complete: true },
  { pair: ["is_completed", "is_incomplete"], complete: false }
] as const

/** True if two conditions decide the group: under `and` two that cannot both hold, under `or` two of which one always holds. */
const pairDecides = ({ operator, rows }: FilterGroup): boolean => {
  const bySubject = new Map<string, Array<Condition>>()
  for (const row of rows) {
    if (isGroup(row) || isScript(row) || isChange(row) || isOfMany(row)) continue
    const subject = JSON.stringify(row.subject)
    const subjectRows = bySubject.get(subject)
    if (subjectRows === undefined) bySubject.set(subject, [row])
    else subjectRows.push(row)
  }
  return [...bySubject.values()].some((conditions) => {
    const operators = new Set<string>(conditions.map((condition) => condition.operator))
    const opposed = opposites.some(
      ({ complete, pair: [one, other] }) =>
        (complete || operator === "and") && operators.has(one) && operators.has(other)
    )
    return opposed || (operator === "and" && isTwoThings(conditions, operators))
  })
}

/** True if the subject has the values of several records, which are compared one by one. */
const isOfMany = ({ subject }: Condition) => "collection" in subject && subject.collection === true

/**
 * True if the conditions demand two different values, or a value and none: only for subjects with a single id or number, and literal
 * values.
 */
const isTwoThings = (conditions: ReadonlyArray<Condition>, operators: ReadonlySet<string>): boolean => {
  const values = new Set(conditions.flatMap(literalIs))
  return values.size > 1 || (values.size === 1 && operators.has("is_empty"))
}

const literalIs = ({ operator, subject, value }: Condition): ReadonlyArray<string> => {
  if (operator !== "is" || subject.source !== "field") return []
  if (!isOperatorOf(fieldKind(subject.field_type), "is")) return []
  if (value?.type === "ids") {
    const [id, ...more] = value.ids
    return more.length === 0 && typeof id === "number" ? [`id ${id}`] : []
  }
  if (value?.type !== "number") return []
  const [number, ...more] = value.number
  const decimal = typeof number === "string" && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(number)
  return more.length === 0 && decimal ? [`number ${Number(number)}`] : []
}
