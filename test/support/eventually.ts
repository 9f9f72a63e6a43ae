// Waits for a state of the world: polls it, within a bound.
import { Effect } from "effect"
import { waitedInVain } from "./waitedInVain.ts"

/** For a machine that does twenty other things: it costs nothing while all goes well. Below a test's time-out, which says less. */
export const BOUND = 240_000

/** For a program that is asked for something and waited for: no time-out of a test can end what it stands still for. */
export const ENDS_MILLIS = 240_000

const EVERY = "25 millis"

/** Polls until `query` gives what is wanted, or dies with what it gave last. */
export const eventually = <A, E, R>(
  what: string,
  query: Effect.Effect<A, E, R>,
  wanted: (a: A) => boolean,
  millis = BOUND
) =>
  Effect.gen(function* () {
    const startMillis = performance.now()
    for (;;) {
      const value = yield* query
      if (wanted(value)) return value
      const waited = performance.now() - startMillis
      if (waited > millis) return yield* Effect.die(waitedInVain(what, waited, `${JSON.stringify(value)}`))
      yield* Effect.sleep(EVERY)
    }
  })
