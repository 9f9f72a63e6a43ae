// Waits for a state of the world: polls it, within a bound.
import { Effect } from "effect"

/** For the machine's worst minute: it costs nothing while all goes well. */
export const BOUND = 90_000

/** For a program that is asked for something and waited for: no time-out of a test can end what it stands still for. */
export const ENDS_MILLIS = 120_000

/** Polls until `query` gives what is wanted, or dies with what it gave last. */
export const eventually = <A, E, R>(
  what: string,
  query: Effect.Effect<A, E, R>,
  wanted: (a: A) => boolean,
  millis = BOUND
) =>
  Effect.gen(function* () {
    const until = performance.now() + millis
    for (;;) {
      const value = yield* query
      if (wanted(value)) return value
      if (performance.now() > until) {
        return yield* Effect.die(new Error(`${what}: not within ${millis} ms, last: ${JSON.stringify(value)}`))
      }
      yield* Effect.sleep("25 millis")
    }
  })
