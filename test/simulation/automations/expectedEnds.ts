// With which statuses the runs of a drawn automation may end.
import type { DrawnAutomation, DrawnAutomations, DrawnStep } from "./drawnAutomations.ts"

const allSteps = (steps: ReadonlyArray<DrawnStep>): ReadonlyArray<DrawnStep> =>
  steps.flatMap((step) => [
    step,
    ...(step.kind === "loop" ? allSteps(step.body) : []),
    ...(step.kind === "branch" ? allSteps([...step.matched, ...step.otherwise]) : [])
  ])

/** Ends that the drawn steps explain. */
export const endsOf = (automation: DrawnAutomation, drawn: DrawnAutomations): ReadonlySet<string> => {
  const called = drawn.automations.at(-2)!
  const steps = allSteps(automation.steps)
  const awaitsCall = steps.some((step) => step.kind === "call" && step.isAwaited)
  const outcomesOf = (of: DrawnAutomation) => {
    const kinds = new Set(allSteps(of.steps).map(({ kind }) => kind))
    const needsRecord = kinds.has("comment") || kinds.has("set") || kinds.has("call") || kinds.has("branch")
    const mayLackRecord = of.trigger === "record_deleted" || drawn.changes.some(({ type }) => type === "delete")
    return {
      fails:
        (kinds.has("http") && drawn.failing > 0) ||
        (needsRecord && (mayLackRecord || of.trigger === "automation_called")),
      isCancelled: of.concurrency !== null && of.concurrency.when_full !== "wait"
    }
  }
  const [ends, calls] = [outcomesOf(automation), outcomesOf(called)]
  const isCalled = automation === called
  const statuses = ["completed"]
  if (ends.fails || (awaitsCall && (calls.fails || calls.isCancelled))) statuses.push("failed")
  const callers = isCalled
    ? drawn.automations.filter((other) => allSteps(other.steps).some(({ kind }) => kind === "call"))
    : []
  const isCut = callers.some((other) => outcomesOf(other).isCancelled || outcomesOf(other).fails)
  if (ends.isCancelled || isCut || automation.debounce !== null) statuses.push("cancelled")
  return new Set(statuses)
}
