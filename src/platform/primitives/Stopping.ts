// Shutdown in two phases. First the process only announces it: whoever looks at /health/ready sends nothing new, for as long as the
// installation needs to notice. Then requests that only wait for a run are answered as at their time-out, so that the socket closes within
// the seconds that are left.
import { Context, type Duration, Effect, Latch, Layer } from "effect"

export interface StoppingShape {
  /** True while the process asks for no new requests; those that come all the same are answered. */
  readonly leaving: Effect.Effect<boolean>
  readonly leave: (delay: Duration.Input) => Effect.Effect<void>
  readonly begun: Effect.Effect<boolean>
  readonly wait: Effect.Effect<void>
}

const make = (): StoppingShape => {
  const latch = Latch.makeUnsafe(false)
  let leaving = false
  const leave = (delay: Duration.Input) =>
    Effect.suspend(() => {
      leaving = true
      return Effect.andThen(Effect.sleep(delay), latch.open)
    })
  return {
    leaving: Effect.sync(() => leaving),
    leave,
    begun: Effect.sync(() => latch.isOpen()),
    wait: latch.await
  }
}

/** Never stops unless a layer is provided: tests in one process, the command line. */
export class Stopping extends Context.Reference<StoppingShape>("millrace/http/Stopping", { defaultValue: make }) {
  static readonly layer = Layer.sync(Stopping, make)

  /** Announces the shutdown first: to be provided beneath everything that serves. */
  static readonly atEnd = <A, E, R>(delay: Duration.Input, served: Layer.Layer<A, E, R>) =>
    Layer.effectDiscard(Effect.flatMap(Stopping, ({ leave }) => Effect.addFinalizer(() => leave(delay)))).pipe(
      Layer.provideMerge(served)
    )
}
