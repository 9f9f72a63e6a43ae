// Activities of runs: segments on the actors' queue, outside steps under their own names on theirs.
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type OutsideType, outsideTypes } from "../src/domain/automations/actions/registry.ts"
import { OutsideSlots } from "../src/domain/automations/durable/OutsideSlots.ts"
import { RunDriver } from "../src/domain/automations/durable/RunDriver.ts"
import type { WaitingRun } from "../src/domain/automations/durable/runSegment.ts"
import { PeriodicTicks } from "../src/domain/automations/schedules/PeriodicTicks.ts"
import { TemporalSchedules } from "../src/domain/automations/schedules/TemporalSchedules.ts"
import { type ActivityAttempt, CurrentActivity } from "../src/engine/temporal/bridge.ts"
import type { RunDirective, UnknownStep } from "../src/engine/temporal/messages.ts"
import { rootSpan } from "../src/platform/telemetry/traceContext.ts"
import { beating, HEARTBEAT_EVERY } from "./heartbeats.ts"

/**
 * Interval while waiting. Each heartbeat is a write in Temporal's database: most activities end before their first one, and many may wait.
 */
const HEARTBEAT_WAITING_EVERY = "4 seconds"

const CANCELLED_IN_TEMPORAL = "Its workflow was cancelled in Temporal."

/** Heartbeats as `beating`, less often and with the reason while the effect only waits. */
const beatingPatiently = <A, E, R>(body: (waiting: WaitingRun) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { heartbeat } = yield* CurrentActivity
    let waitReason: string | null = null
    const beat = Effect.suspend(() =>
      waitReason === null
        ? Effect.andThen(heartbeat(), Effect.sleep(HEARTBEAT_EVERY))
        : Effect.andThen(heartbeat({ waits: waitReason }), Effect.sleep(HEARTBEAT_WAITING_EVERY))
    )
    yield* Effect.forkScoped(Effect.andThen(Effect.sleep(HEARTBEAT_EVERY), Effect.forever(beat)))
    const setWaitReason = (why: string | null) =>
      Effect.sync(() => {
        waitReason = why
      })
    return yield* body(
      (why) => (effect) => Effect.ensuring(Effect.andThen(setWaitReason(why), effect), setWaitReason(null))
    )
  }).pipe(Effect.scoped)

/**
 * Executes part of a run, and ends the run once its attempts are used up. @param rests attempts that failed as they may, which do not count
 */
const bounded = <A, E>(
  runId: string,
  execute: (runner: RunDriver["Service"]) => Effect.Effect<A, E | SqlError>,
  rests = 0
): Effect.Effect<A | RunDirective, E | SqlError, CurrentActivity | RunDriver> =>
  Effect.flatMap(CurrentActivity, ({ info }) =>
    RunDriver.use((runner) => runner.bound(runId, info.attempt - rests)(execute(runner)))
  )

/**
 * Heartbeat details of an outside step, for operators and for its next attempt. `rests`: attempts so far that failed as they may, or found
 * no slot, and said when to come back. Temporal counts these too.
 */
interface StepTold {
  readonly at?: string
  readonly rests?: number
}
const restsIn = (details: unknown): number => (details as StepTold | null | undefined)?.rests ?? 0

/** Renews the note of a schedule, which is for people: a tick that cannot renew it is a tick all the same. */
const renewed = Effect.fnUntraced(
  function* (automationId: number) {
    const [schedule] = yield* PeriodicTicks.use((ticks) => ticks.armed(automationId))
    if (schedule !== undefined) yield* TemporalSchedules.use((schedules) => schedules.renew(schedule))
  },
  Effect.catchTags({
    SqlError: (error) => Effect.logWarning("the note of a schedule is not renewed", error),
    TemporalFailed: (error) => Effect.logWarning("the note of a schedule is not renewed", error)
  })
)

export const segmentActivities = (attempt: ActivityAttempt<RunDriver | PeriodicTicks | TemporalSchedules>) => ({
  executeSegment: attempt((runId: string, unknown?: UnknownStep) =>
    beatingPatiently((waiting) => bounded(runId, (runner) => runner.segment(runId, waiting, unknown)))
  ),
  tick: attempt((automationId: number) =>
    PeriodicTicks.use((ticks) => Effect.tap(ticks.tickAtInstant(automationId), () => renewed(automationId))).pipe(
      rootSpan("tick", { "millrace.automation.id": automationId })
    )
  ),
  runIsOver: attempt((runId: string) => RunDriver.use((runner) => runner.isOver(runId))),
  cancelRun: attempt((runId: string) => RunDriver.use((runner) => runner.cancel(runId, CANCELLED_IN_TEMPORAL)))
})

export const outsideActivities = (attempt: ActivityAttempt<OutsideSlots | RunDriver>) => {
  const step = attempt(
    (runId: string, path: string, iteration: ReadonlyArray<number>, org?: number, tell?: boolean) => {
      return Effect.gen(function* () {
        const { inTurn, wanted } = yield* OutsideSlots
        const { heartbeat, info } = yield* CurrentActivity
        const rests = restsIn(info.heartbeatDetails)
        let details: StepTold | undefined = rests === 0 ? undefined : { rests }
        const getDetails = () => details
        const recordStep = (step: string) =>
          Effect.sync(() => {
            details = { ...details, at: step }
          })
        const comesBack = Effect.suspend(() => {
          details = { ...details, rests: rests + 1 }
          return heartbeat(details)
        })
        const step = bounded(
          runId,
          (runner) =>
            runner
              .outside(runId, path, iteration, { tell, wanted, at: recordStep })
              .pipe(Effect.tapErrorTag("AttemptFailed", () => comesBack)),
          rests
        )
        return yield* beating(
          inTurn(org)(beating(step, HEARTBEAT_EVERY, getDetails)),
          HEARTBEAT_WAITING_EVERY,
          getDetails
        )
      })
    }
  )
  return Object.fromEntries(outsideTypes.map((type) => [type, step])) as {
    readonly [T in OutsideType]: typeof step
  }
}

export type SegmentActivities = ReturnType<typeof segmentActivities>
export type OutsideActivities = ReturnType<typeof outsideActivities>
