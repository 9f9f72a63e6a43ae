// Signs of life of activities that may take longer than some seconds (workflows/heartbeats.ts). With their answers a cancellation in Temporal
// reaches the effect, and interrupts it.
import { type Duration, Effect } from "effect"
import { CurrentActivity } from "../src/engine/temporal/bridge.ts"

export const HEARTBEAT_EVERY = "1 second"

/** Heartbeats while the effect runs. @param told details for operators, where there are any */
export const beating = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  every: Duration.Input = HEARTBEAT_EVERY,
  told: () => unknown = () => undefined
) =>
  Effect.gen(function* () {
    const { heartbeat } = yield* CurrentActivity
    const beat = Effect.suspend(() => heartbeat(told()))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(every), beat)))
    return yield* effect
  }).pipe(Effect.scoped)
