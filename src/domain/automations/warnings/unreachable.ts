// Warns about steps that no run can reach (developer-api.md 7.13 `warnings`): after an exit, or in a branch whose condition is constant or
// already decided by an enclosing branch. It reports only what the definition alone decides.
import { endsRun } from "../actions/exit/spec.ts"
import { actionSpec } from "../actions/registry.ts"
import type { Action, Definition, FilterGroup } from "../model/Definition.ts"
import type { Warning } from "../schema/ValidationModel.ts"
import { isPlainObject, rowsOf } from "../schema/walk.ts"
import { constantResult } from "./constantFilters.ts"

/** Conditions that the enclosing branches have decided, by their text. */
type Known = ReadonlyMap<string, boolean>
const nothing: Known = new Map()

export function* unreachable({ actions, filter }: Definition): Iterable<Warning> {
  if (filter !== null && constantResult(filter) === false) {
    const message = "The conditions of the filter contradict each other, so that no run begins."
    yield { code: "filter_never_matches", message, block_id: "filter", action_id: null }
  }
  yield* inList(actions, nothing)
}

const live = (list: ReadonlyArray<Action>) => list.filter((action) => action.deactivate !== true)

/** Returns true if a run that enters the list ends in it. */
function* inList(list: ReadonlyArray<Action>, known: Known): Generator<Warning, boolean> {
  const steps = live(list)
  // Decisions of branches hold until a step may have changed the values that they compared.
  let still = known
  for (const [index, step] of steps.entries()) {
    const hasEnded = yield* inStep(step, still)
    if (hasEnded) {
      const laterSteps = steps.slice(index + 1)
      if (laterSteps.length > 0) yield never(laterSteps, "a step before ends the run")
      return true
    }
    still = nothing
  }
  return false
}

function* inStep(step: Action, known: Known): Generator<Warning, boolean> {
  const { kind } = actionSpec(step.type)
  if (endsRun(step)) return true
  const lists = rowsOf(step).map((rows) => rows.actions)
  if (kind !== "branch") {
    for (const list of lists) yield* inList(list, nothing)
    return false
  }
  const condition = step.config["condition"] as FilterGroup | null
  const key = JSON.stringify(withoutIds(condition))
  const always = condition === null ? true : (constantResult(condition) ?? known.get(key))
  const branchesTaken = [always !== false, always !== true]
  let allBranchesEnd = true
  for (const [index, list] of [lists[0] ?? [], lists[1] ?? []].entries()) {
    if (branchesTaken[index] === true)
      allBranchesEnd = (yield* inList(list, new Map(known).set(key, index === 0))) && allBranchesEnd
    else if (live(list).length > 0) {
      const why = index === 0 ? "the condition never matches here" : "the condition always matches here"
      yield never(live(list), why)
    }
  }
  return allBranchesEnd
}

const never = (steps: ReadonlyArray<Action>, why: string): Warning => {
  const [first] = steps as [Action]
  const more = steps.length === 1 ? "" : `, nor are the ${steps.length - 1} after it`
  const message = `This step is never reached${more}: ${why}.`
  return { code: "step_unreachable", message, block_id: first.id, action_id: first.id }
}

const withoutIds = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (key === "id" ? [] : [[key, withoutIds(item)]]))
  )
}
