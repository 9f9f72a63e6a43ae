// Activities of runs: segments on the actors' queue, outside steps under their own names on theirs.
import { type Duration, Effect } from "effect"
import { type OutsideType, outsideTypes } from "../src/domain/automations/actions/registry.ts"
import { OutsidePlaces } from "../src/domain/automations/durable/OutsidePlaces.ts"
import { RunDriver } from "../src/domain/automations/durable/RunDriver.ts"
import { PeriodicTicks } from "../src/domain/automations/schedules/PeriodicTicks.ts"
import { type Attempt, CurrentActivity } from "../src/engine/temporal/bridge.ts"

const HEARTBEAT_EVERY = "1 second"
/** Each is a write in Temporal's database, and many may wait. */
const HEARTBEAT_WAITING_EVERY = "4 seconds"

/** A sign of life while the effect runs. */
const beating = <A, E, R>(effect: Effect.Effect<A, E, R>, every: Duration.Input = HEARTBEAT_EVERY) =>
  Effect.gen(function* () {
    const { heartbeat } = yield* CurrentActivity
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(heartbeat(), Effect.sleep(every))))
    return yield* effect
  }).pipe(Effect.scoped)

export const segmentActivities = (attempt: Attempt<RunDriver | PeriodicTicks>) => ({
  executeSegment: attempt((runId: string) => beating(RunDriver.use((runner) => runner.segment(runId)))),
  tick: attempt((automationId: number) => PeriodicTicks.use((ticks) => ticks.tickAtInstant(automationId))),
  cancelRun: attempt((runId: string) => RunDriver.use((runner) => runner.cancel(runId)))
})

export const outsideActivities = (attempt: Attempt<OutsidePlaces | RunDriver>) => {
  const step = attempt((runId: string, path: string, iteration: ReadonlyArray<number>, org?: number) => {
    const begun = beating(RunDriver.use((runner) => runner.outside(runId, path, iteration)))
    return beating(
      OutsidePlaces.use((places) => places.inTurn(org)(begun)),
      HEARTBEAT_WAITING_EVERY
    )
  })
  return Object.fromEntries(outsideTypes.map((type) => [type, step])) as {
    readonly [T in OutsideType]: typeof step
  }
}

export type SegmentActivities = ReturnType<typeof segmentActivities>
export type OutsideActivities = ReturnType<typeof outsideActivities>
