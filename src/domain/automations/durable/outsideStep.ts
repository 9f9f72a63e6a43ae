// Executes an outside step of a durable run, in the activity of its type, and the steps that can follow at once, iterations of its loop
// included (developer-api.md 7.11 run semantics 6; decisions: attempts).
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Draining } from "../../../engine/temporal/Draining.ts"
import type { RunDirective } from "../../../engine/temporal/messages.ts"
import { loopLagDelay } from "../../../platform/fairness/loopLagDelay.ts"
import { recoverSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { iterationKey } from "../model/Plan.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import { PayloadShares } from "../run/PayloadShares.ts"
import type { RunContext, RunStep } from "../run/RunContext.ts"
import type { LoadedRun } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import type { SliceLimits } from "../run/runLimits.ts"
import type { Pause } from "../steps/retryPause.ts"
import { SegmentExecutor } from "../steps/SegmentExecutor.ts"
import type { SegmentEnd } from "../steps/segmentEnds.ts"
import { AttemptFailed, notDueYet, OutsideStepFailed, waitsFor } from "./AttemptFailed.ts"
import { makeAdmission } from "./admission.ts"
import { labelAt } from "./runDirectives.ts"
import { makeExecution, segmentOf } from "./runExecution.ts"
import { startRefusal } from "./startRefusal.ts"

/**
 * Time for which an activity continues after its step: details in the UI get no older than this. One second while other steps wait for its
 * slot.
 */
const BEHIND_OUTSIDE_MILLIS = 5_000
const BEHIND_WANTED_MILLIS = 1_000
/** An attempt that comes too early by at most this much, by another clock, is made. */
const EARLY_MILLIS = 250
/** Pause before the next try of an attempt that finds no free slot. */
const PLACE_AGAIN_MILLIS = 5_000

const nobody = Effect.succeed(false)

/** Facts that the activity of a step passes. */
export interface OutsideActivity {
  /** True if the workflow handles errors for failed steps. */
  readonly tell?: boolean | undefined
  /** True if other steps wait for its slot. */
  readonly wanted?: Effect.Effect<boolean>
  /** Reports the label of the present step for operators. */
  readonly at?: (label: string) => Effect.Effect<void>
}

/**
 * Executes the outside step in a concurrency slot, and the steps that can follow at once; null: a segment has to check the run. Fails if
 * the step is to be tried again. Fails also if it has failed for good and its workflow handles that error.
 */
export type OutsideStep = (
  runId: string,
  path: string,
  iteration: ReadonlyArray<number>,
  activity?: OutsideActivity
) => Effect.Effect<RunDirective | null, SqlError | AttemptFailed | OutsideStepFailed>

export const makeOutsideStep = Effect.gen(function* () {
  const store = yield* RunStore
  const executor = yield* SegmentExecutor
  const runSlots = yield* OrganizationSlots
  const shares = yield* PayloadShares
  const draining = yield* Draining
  const { admitted } = yield* makeAdmission
  const { left, open, slice } = yield* makeExecution
  const millis = Clock.currentTimeMillis

  /**
   * A run holds no slot between attempts. An attempt without a slot fails and comes back later instead of waiting here: waiting activities
   * must not use up the capacity that other runs need to end.
   */
  const backFromPause = Effect.fnUntraced(function* (context: RunContext) {
    const { wait_until, wait_why } = context.run
    if (wait_why !== "retry" || wait_until === null) return
    const millisLeft = wait_until.getTime() - (yield* millis)
    if (millisLeft > EARLY_MILLIS) return yield* notDueYet(millisLeft)
    const admission = yield* admitted(context)
    if (!admission.ok) return yield* waitsFor(admission.why, Math.min(admission.again, PLACE_AGAIN_MILLIS))
  })

  const restsUntilNext = Effect.fnUntraced(function* ({ run }: RunContext, { cause, until }: Pause) {
    yield* runSlots.release(run.org_id, run.run_id, run.fence)
    const nextRetryMillis = Math.max(1, until.getTime() - (yield* millis))
    return yield* new AttemptFailed({ message: cause, nextRetryMillis })
  })

  const outside: OutsideStep = Effect.fnUntraced(function* (runId, path, iteration, activity = {}) {
    const failed: Array<string> = []
    const answer = yield* outsideStep(runId, path, iteration, activity, failed)
    const [message] = failed
    if (activity.tell !== true || message === undefined) return answer
    return yield* new OutsideStepFailed({ message, answer })
  }, recoverSqlDefect)

  /** @param failed receives the reason if the step has failed for good */
  const outsideStep = Effect.fnUntraced(
    function* (
      runId: string,
      path: string,
      iteration: ReadonlyArray<number>,
      activity: OutsideActivity,
      failed: Array<string>
    ) {
      const loaded = yield* store.take(runId)
      if (loaded === null) return null
      const { cursor } = loaded.run
      if (cursor?.path !== path || iterationKey(cursor.iteration) !== iterationKey(iteration)) return null
      return yield* segmentOf(loaded)(shares.within(loaded)(outsideLoaded(loaded, path, iteration, activity, failed)))
    },
    Effect.catchTag("RunTaken", () => Effect.succeed(null))
  )

  const sliceBehind = ({ wanted = nobody }: OutsideActivity) =>
    Effect.map(
      Effect.all([slice(BEHIND_OUTSIDE_MILLIS), slice(BEHIND_WANTED_MILLIS)]),
      ([whole, short]): SliceLimits => ({
        stop: Effect.flatMap(whole.stop, (over) =>
          over ? Effect.succeed(true) : Effect.flatMap(wanted, (yes) => (yes ? short.stop : Effect.succeed(false)))
        )
      })
    )

  /**
   * Accepts further outside steps of the same type in the same outermost loop. Another type is an activity of another name, and a step with
   * retries is repeated by Temporal.
   */
  const alongWith = (
    { revision }: RunContext,
    path: string,
    { wanted = nobody }: OutsideActivity,
    at: (label: string) => Effect.Effect<void>
  ) => {
    const firstNode = revision.plan.nodes.get(path)!
    return Effect.fnUntraced(function* ({ cursor, node }: RunStep) {
      const { action, loops } = node
      const alike = action.type === firstNode.action.type && loops.length > 0 && loops[0] === firstNode.loops[0]
      if (!alike || (action.retry?.attempts ?? 1) > 1 || (yield* wanted)) return false
      yield* loopLagDelay
      yield* at(labelAt(node, cursor))
      return true
    })
  }

  const endBehind = (context: RunContext, directive: SegmentEnd) =>
    directive.type === "more" ? Effect.succeed(null) : left(context, directive)

  const outsideLoaded = Effect.fnUntraced(function* (
    loaded: LoadedRun,
    path: string,
    iteration: ReadonlyArray<number>,
    activity: OutsideActivity,
    failed: Array<string>
  ) {
    const context = yield* open(loaded, null)
    if (startRefusal(context, yield* millis) !== null) return null
    yield* backFromPause(context)
    // A step over a collection is cut into slices here, not by its workflow.
    for (;;) {
      const directive = yield* executor.outside(context, { stop: draining.begun })
      if (directive.failure !== undefined) failed.push(directive.failure)
      if (directive.type === "retry") return yield* restsUntilNext(context, directive.pause)
      if (directive.type !== "more") return yield* left(context, directive)
      if (yield* draining.begun) return null
      const currentCursor = context.run.cursor
      if (currentCursor?.path !== path || iterationKey(currentCursor.iteration) !== iterationKey(iteration)) break
    }
    // A failed step ends its activity, so that a timeline shows it.
    if (failed.length > 0)
      return yield* endBehind(context, yield* executor.segment(context, yield* slice(BEHIND_WANTED_MILLIS)))
    let label = ""
    const reportStep = (step: string) =>
      Effect.suspend(() => {
        label = step
        return activity.at?.(step) ?? Effect.void
      })
    const followingSteps = alongWith(context, path, activity, reportStep)
    const directive = yield* executor.behind(context, yield* sliceBehind(activity), followingSteps)
    if (directive.failure !== undefined) failed.push(`${label}: ${directive.failure}`)
    return yield* endBehind(context, directive as SegmentEnd)
  })

  return outside
})
