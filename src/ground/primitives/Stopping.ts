// The process has been told to stop: requests that only wait for a run are answered as at their time-out, so that the socket closes
// within the seconds that are left.
import { Context, Effect, Latch, Layer } from "effect"

export interface StoppingShape {
  readonly begin: Effect.Effect<void>
  readonly begun: Effect.Effect<boolean>
  readonly wait: Effect.Effect<void>
}

const make = (): StoppingShape => {
  const latch = Latch.makeUnsafe(false)
  return { begin: Effect.asVoid(latch.open), begun: Effect.sync(() => latch.isOpen()), wait: latch.await }
}

/** Without a layer nothing ever stops: tests in one process, the command line. */
export class Stopping extends Context.Reference<StoppingShape>("millrace/http/Stopping", { defaultValue: make }) {
  static readonly layer = Layer.sync(Stopping, make)

  /** Provided beneath everything that serves, it is the first to hear of the end. */
  static readonly atEnd = <A, E, R>(served: Layer.Layer<A, E, R>) =>
    Layer.effectDiscard(Effect.flatMap(Stopping, ({ begin }) => Effect.addFinalizer(() => begin))).pipe(
      Layer.provideMerge(served)
    )
}
