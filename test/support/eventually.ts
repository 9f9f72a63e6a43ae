// Waits for a state of the world: polls it, within a bound.
import { Effect } from "effect"

/** Each harness has its bound for the machine's worst minute. */
export const eventuallyWithin =
  (bound: number) =>
  /** Polls until `query` gives what is wanted, or dies with what it gave last. */
  <A, E, R>(what: string, query: Effect.Effect<A, E, R>, wanted: (a: A) => boolean, millis = bound) =>
    Effect.gen(function* () {
      const until = Date.now() + millis
      for (;;) {
        const value = yield* query
        if (wanted(value)) return value
        if (Date.now() > until) {
          return yield* Effect.die(new Error(`${what}: not within ${millis} ms, last: ${JSON.stringify(value)}`))
        }
        yield* Effect.sleep("25 millis")
      }
    })
