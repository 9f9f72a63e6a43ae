// Bounds the attempts of a run's activity that end in a defect, which Temporal would otherwise repeat without end. Like a mailbox row that
// is set aside, the run ends as failed once a further attempt would be useless (developer-api.md 7.11 run semantics 1 and 3).
import { Cause, Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { RunDirective } from "../../../engine/temporal/messages.ts"
import { ActorTuning } from "../../../platform/config/Tuning.ts"
import { inBrief, isTransientIn } from "../../../platform/sql/transientErrors.ts"
import type { Ending } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { SegmentExecutor } from "../steps/SegmentExecutor.ts"
import { makeExecution } from "./runExecution.ts"

/** @param attempt number of the attempt, as Temporal counts them */
export type BoundAttempts = (
  runId: string,
  attempt: number
) => <A, E>(work: Effect.Effect<A, E | SqlError>) => Effect.Effect<A | RunDirective, E | SqlError>

/** True for a defect: not an absent database, and not a failure that itself says when the next attempt is due. */
const isDefect = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.hasInterrupts(cause) && !isTransientIn(cause) && (Cause.hasDies(cause) || isSqlError(Cause.squash(cause)))

export const makeBoundAttempts = Effect.gen(function* () {
  const store = yield* RunStore
  const executor = yield* SegmentExecutor
  const { asideAt } = yield* ActorTuning
  const { left, open, statusOf } = yield* makeExecution

  const ending: Ending = {
    status: "failed",
    failure_reason: "actions_failed",
    error_message: `The run failed unexpectedly in ${asideAt} attempts; the service's log has the cause.`
  }

  const giveUp = Effect.fnUntraced(function* (runId: string) {
    const loaded = yield* store.take(runId)
    if (loaded === null) return yield* statusOf(runId)
    const context = yield* open(loaded, null)
    yield* executor.end(context, ending)
    return yield* left(context, { type: "done", ending })
  })

  const bound: BoundAttempts = (runId, attempt) => (work) =>
    Effect.catchCause(work, (cause) => {
      if (attempt < asideAt || !isDefect(cause)) return Effect.failCause(cause)
      return Effect.logError("a run is given up", cause).pipe(
        Effect.andThen(giveUp(runId)),
        // The run could not be ended, for example because another attempt has taken it over: this attempt fails with its own error, and the
        // next one tries again.
        Effect.catchCause((other) =>
          Effect.andThen(Effect.logWarning("the run was not given up", inBrief(other)), Effect.failCause(cause))
        ),
        Effect.annotateLogs({ run: runId })
      )
    })
  return bound
})
