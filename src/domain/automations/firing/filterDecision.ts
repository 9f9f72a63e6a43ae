// Evaluates the filter of an automation for a run (developer-api.md 7.5), on the record's state at the time of the event and before the run
// exists.
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Filters } from "../model/Resolver.ts"
import { StepFailed } from "../model/Step.ts"
import type { NewRun } from "../run/NewRun.ts"
import type { Revision } from "../run/RevisionCache.ts"
import { RunContextFactory } from "../run/RunContextFactory.ts"
import type { LoadedRun, LogEntry } from "../run/RunRow.ts"
import { entryOf } from "../run/runEntries.ts"
import { guarded } from "../run/stepGuard.ts"

/** Result of the filter: a mismatch, or the run's first log entries and the reason if the filter could not be evaluated. */
export type FilterDecision = "mismatch" | Pick<NewRun, "logs" | "failure">

/** Creates one of the log entries with which a run begins. */
export const entry = (
  type: "trigger" | "filter",
  status: LogEntry["status"],
  label: string,
  message: string | null,
  more: LogEntry["messages"] = []
): LogEntry =>
  entryOf(type, status, label, [
    ...(message === null ? [] : [{ message, level: status === "failure" ? ("error" as const) : null }]),
    ...more
  ])

export const makeFilterDecision = Effect.gen(function* () {
  const contexts = yield* RunContextFactory
  const filters = yield* Filters

  return Effect.fnUntraced(function* (
    loaded: LoadedRun,
    revision: Revision,
    now: Date
  ): Effect.fn.Return<FilterDecision, SqlError> {
    const { filter } = revision.definition
    if (filter === null) return { logs: [], failure: null }
    const leftOut = new Set<string>()
    const scope = {
      ...contexts.make(loaded, revision).scope(now, [], loaded.trigger.record),
      onLeftOut: (message: string) => void leftOut.add(message)
    }
    const matches = yield* guarded(filters.matches(filter, scope)).pipe(
      Effect.catchTag("StepFailed", (error) => Effect.succeed(error))
    )
    if (matches === false) return "mismatch"
    const warnings = [...leftOut].map((message): LogEntry["messages"][number] => ({ message, level: "warn" }))
    return matches instanceof StepFailed
      ? {
          logs: [entry("filter", "failure", "Filter", matches.message, warnings)],
          failure: { reason: matches.reason ?? "filters_failed", message: matches.message }
        }
      : { logs: [entry("filter", "success", "Filter", null, warnings)], failure: null }
  })
})
