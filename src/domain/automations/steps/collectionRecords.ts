// Executes a step over a collection on some of its records, one after another: a failing record does not stop the others (developer-api.md
// 7.6).
import { Effect, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { withCollected } from "../model/RunScope.ts"
import type { LogMessage, Step, StepFailed, StepOutcome, StepRuntime } from "../model/Step.ts"
import { logValues } from "../run/logText.ts"
import type { StepOutput } from "../run/StepOutput.ts"
import { guarded } from "../run/stepGuard.ts"
import type { NextTry } from "../run/stepRetries.ts"
import { failureText, type Progress, SHOWN_AT_MOST, type Shown, type Worked } from "./collectionProgress.ts"

export type CollectionRuntime = Extract<StepRuntime, { readonly kind: "each" }>

export const workOn = Effect.fnUntraced(function* (
  sql: Sql,
  ids: ReadonlyArray<number>,
  {
    again,
    at,
    gathered,
    outside,
    runtime,
    step
  }: {
    readonly runtime: CollectionRuntime
    readonly step: Step
    readonly gathered: StepOutput
    readonly at: Progress
    readonly outside: boolean
    /** Returns the next attempt of a failed record, or null if it is not tried again. */
    readonly again: (error: StepFailed) => NextTry | null
  }
): Effect.fn.Return<Worked, SqlError> {
  const messages: Array<LogMessage> = []
  const shownRecords: Array<Shown> = []
  const failures: Array<string> = []
  let failed = 0
  let retried: Worked["again"]
  const readRecords = yield* Effect.result(step.records(ids))
  if (Result.isFailure(readRecords)) {
    messages.push({ message: readRecords.failure.message, level: "error" })
    return { failed: ids.length, shown: shownRecords, messages: [...gathered.messages, ...messages] }
  }
  const records = new Map(readRecords.success.map((record) => [record.record_id, record]))
  for (const [index, id] of ids.entries()) {
    const record = records.get(id)
    if (record === undefined) {
      messages.push({ message: `Record ${id} is gone.`, level: "warn" })
      continue
    }
    const keyed = { ...withCollected(step, record), key: `${step.key}/${id}` }
    gathered.inputs.clear()
    gathered.results.clear()
    const failedBefore = at.failed + failed
    const runRecord: Effect.Effect<StepOutcome, StepFailed | SqlError> = guarded(runtime.run(keyed, record))
    // Nested transaction (savepoint): a failed record leaves no changes.
    yield* (outside ? runRecord : sql.withTransaction(runRecord)).pipe(
      Effect.tap((outcome) =>
        Effect.sync(() => {
          if (outcome.status === "skipped") messages.push({ message: outcome.message, level: "info" })
        })
      ),
      Effect.catchTag("StepFailed", (error) =>
        Effect.sync(() => {
          const next = again(error)
          if (next !== null) {
            retried = { error, next }
            return
          }
          failed++
          const message = `Record ${id}: ${step.secrets.without(error.message)}`
          messages.push({ message, level: "error" })
          if (failedBefore < SHOWN_AT_MOST) failures.push(failureText(message))
        })
      )
    )
    if (retried !== undefined)
      return { failed, failures, shown: shownRecords, messages: [...gathered.messages], again: retried }
    const isFailed = at.failed + failed > failedBefore
    if (at.done + index < SHOWN_AT_MOST || (isFailed && failedBefore < SHOWN_AT_MOST)) {
      const { inputs, results, secrets } = gathered
      shownRecords.push({ record_id: id, inputs: logValues(inputs, secrets), outputs: logValues(results, secrets) })
    }
  }
  return { failed, failures, shown: shownRecords, messages: [...gathered.messages, ...messages] }
})
