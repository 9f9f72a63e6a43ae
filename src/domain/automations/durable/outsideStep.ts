// The step of a durable run that reaches outside, for the activity of its type, and what is left to do at once behind it, the turns of
// its loop among it (developer-api.md 7.11 run semantics 6; decisions: attempts).
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Draining } from "../../../engine/temporal/Draining.ts"
import type { RunDirective } from "../../../engine/temporal/messages.ts"
import { whenOnTime } from "../../../ground/fairness/whenOnTime.ts"
import { recoverSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import { type Cursor, iterationKey, type PlanNode } from "../model/Plan.ts"
import { PayloadShares } from "../run/PayloadShares.ts"
import type { RunContext } from "../run/RunContext.ts"
import { RunPlaces } from "../run/RunPlaces.ts"
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
import { stillborn } from "./stillborn.ts"

/** What an activity goes on with behind its step, details in the UI get no older; a second where others wait for its place. */
const BEHIND_OUTSIDE_MILLIS = 5_000
const BEHIND_WANTED_MILLIS = 1_000
/** An attempt that comes so much too soon, by another clock, is made. */
const EARLY_MILLIS = 250
/** An attempt that finds no place comes back after this. */
const PLACE_AGAIN_MILLIS = 5_000

const nobody = Effect.succeed(false)

/** What the activity of a step knows beside the step. */
export interface OutsideActivity {
  /** Its workflow is told of steps that have failed. */
  readonly tell?: boolean | undefined
  /** Others wait for its place. */
  readonly wanted?: Effect.Effect<boolean>
  /** Operators are told which step it is at. */
  readonly at?: (label: string) => Effect.Effect<void>
}

/**
 * The outside step at a place, and what is left to do at once behind it; null: a segment has to look. Fails where the step is to
 * be tried again, and where it has failed for good and its workflow is to be told.
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
  const places = yield* RunPlaces
  const shares = yield* PayloadShares
  const draining = yield* Draining
  const { admitted } = yield* makeAdmission
  const { left, open, slice } = yield* makeExecution
  const millis = Clock.currentTimeMillis

  /** Between attempts a run holds no place. Nobody waits here: who stands in line for one must not fill what others need to end. */
  const backFromPause = Effect.fnUntraced(function* (context: RunContext) {
    const { wait_until, wait_why } = context.run
    if (wait_why !== "retry" || wait_until === null) return
    const rest = wait_until.getTime() - (yield* millis)
    if (rest > EARLY_MILLIS) return yield* notDueYet(rest)
    const admission = yield* admitted(context)
    if (!admission.ok) return yield* waitsFor(admission.why, Math.min(admission.again, PLACE_AGAIN_MILLIS))
  })

  const restsUntilNext = Effect.fnUntraced(function* ({ run }: RunContext, { cause, until }: Pause) {
    yield* places.release(run.org_id, run.run_id)
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

  /** @param failed is told why, where the step has failed for good */
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
   * Steps of the same loop, however deep. Another type is an activity of another name; one that may be tried again is repeated by
   * Temporal.
   */
  const alongWith = (
    { revision }: RunContext,
    path: string,
    { wanted = nobody }: OutsideActivity,
    at: (label: string) => Effect.Effect<void>
  ) => {
    const first = revision.plan.nodes.get(path)!
    return Effect.fnUntraced(function* (node: PlanNode, cursor: Cursor) {
      const { action, loops } = node
      const alike = action.type === first.action.type && loops.length > 0 && loops[0] === first.loops[0]
      if (!alike || (action.retry?.attempts ?? 1) > 1 || (yield* wanted)) return false
      yield* whenOnTime
      yield* at(labelAt(node, cursor))
      return true
    })
  }

  const behind = (context: RunContext, directive: SegmentEnd) =>
    directive.type === "more" ? Effect.succeed(null) : left(context, directive)

  const outsideLoaded = Effect.fnUntraced(function* (
    loaded: LoadedRun,
    path: string,
    iteration: ReadonlyArray<number>,
    activity: OutsideActivity,
    failed: Array<string>
  ) {
    const context = yield* open(loaded, null)
    if (stillborn(context, yield* millis) !== null) return null
    yield* backFromPause(context)
    // A step over a collection is cut into slices here, not by its workflow.
    for (;;) {
      const directive = yield* executor.outside(context, { stop: draining.begun })
      if (directive.failure !== undefined) failed.push(directive.failure)
      if (directive.type === "retry") return yield* restsUntilNext(context, directive.pause)
      if (directive.type !== "more") return yield* left(context, directive)
      if (yield* draining.begun) return null
      const at = context.run.cursor
      if (at?.path !== path || iterationKey(at.iteration) !== iterationKey(iteration)) break
    }
    // A failed step ends its activity, so that a timeline shows it.
    if (failed.length > 0)
      return yield* behind(context, yield* executor.segment(context, yield* slice(BEHIND_WANTED_MILLIS)))
    let label = ""
    const at = (step: string) =>
      Effect.suspend(() => {
        label = step
        return activity.at?.(step) ?? Effect.void
      })
    const along = alongWith(context, path, activity, at)
    const directive = yield* executor.behind(context, yield* sliceBehind(activity), along)
    if (directive.failure !== undefined) failed.push(`${label}: ${directive.failure}`)
    return yield* behind(context, directive as SegmentEnd)
  })

  return outside
})
