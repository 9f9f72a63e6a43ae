// Evaluates the filter tree over decided leaves (service.md 2.7 "Filter tree"; decisions A8, A12). Pure.
import {
  type Condition,
  type FilterGroup,
  type FilterRow,
  isGroup,
  isScript,
  type ScriptCondition
} from "../schema/Filter.ts"

/** Results of the leaves. `undefined`: a condition is left out, or a script's result is not known yet. */
export interface Leaves {
  readonly condition: (row: Condition) => boolean | undefined
  readonly script: (row: ScriptCondition) => boolean | undefined
}

type Decision = boolean | "out" | ScriptCondition

const decideRow = (row: FilterRow, leaves: Leaves): Decision => {
  if (isGroup(row)) return evaluate(row, leaves)
  if (isScript(row)) return leaves.script(row) ?? row
  return leaves.condition(row) ?? "out"
}

/**
 * Returns whether the group matches, or the script whose result is needed next. Conditions decide before scripts, so that a script runs
 * only if it can matter.
 */
export const evaluate = (group: FilterGroup, leaves: Leaves): boolean | ScriptCondition => {
  const deciding = group.operator === "or"
  let pendingScript: ScriptCondition | undefined
  let countedRows = 0
  for (const row of group.rows) {
    const decision = decideRow(row, leaves)
    if (decision === "out") continue
    countedRows++
    if (decision === deciding) return deciding
    if (typeof decision === "object") pendingScript ??= decision
  }
  if (pendingScript !== undefined) return pendingScript
  // A group with no leaf left matches (A8), and so does an empty one (A12).
  return countedRows === 0 ? true : !deciding
}

/** Yields every condition of a tree. */
export function* conditionsOf(group: FilterGroup): Iterable<Condition> {
  for (const row of group.rows) {
    if (isGroup(row)) yield* conditionsOf(row)
    else if (!isScript(row)) yield row
  }
}
