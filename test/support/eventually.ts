// Waits for a state of the world: polls it, within a bound.
import { Clock, Effect } from "effect"
import { waitedInVain } from "./waitedInVain.ts"

/** Bound for a machine that does twenty other things: it costs nothing while all goes well. Below a test's time-out, which says less. */
export const BOUND = 240_000

/** Bound for a program that is asked for something and waited for: no time-out of a test can end what it stands still for. */
export const ENDS_MILLIS = 240_000

const FIRST_MILLIS = 25
const SHARE = 1 / 8
const LONGEST_MILLIS = 250

/** Time until a wait looks again: a share of what it has waited, since each look costs the machine that it waits for. */
export const nextLookMillis = (waitedMillis: number): number =>
  Math.min(Math.max(FIRST_MILLIS, waitedMillis * SHARE), LONGEST_MILLIS)

/** Times that a bound may begin anew, so that a wait explains itself before the time-out of its test does. */
const PROGRESS_AT_MOST = 3

/** Text of what was seen, as a text that tells a change. */
const textOf = (value: unknown) =>
  `${JSON.stringify(value, (_, member) => (typeof member === "bigint" ? `${member}` : member))}`

/**
 * Polls until `query` gives what is wanted, or dies with what it gave last. The bound is of the time without any change: a busy machine that
 * gets on with it is waited for, three bounds in all.
 */
export const eventually = <A, E, R>(
  what: string,
  query: Effect.Effect<A, E, R>,
  wanted: (a: A) => boolean,
  millis = BOUND
) =>
  Effect.gen(function* () {
    const startMillis = yield* Clock.currentTimeMillis
    let [changedMillis, comparedMillis, lastText] = [startMillis, startMillis, ""]
    for (;;) {
      const value = yield* query
      if (wanted(value)) return value
      const nowMillis = yield* Clock.currentTimeMillis
      if (nowMillis - comparedMillis >= millis / 10) {
        const text = textOf(value)
        if (text !== lastText) changedMillis = comparedMillis
        comparedMillis = nowMillis
        lastText = text
      }
      const waited = nowMillis - startMillis
      if (nowMillis - changedMillis > millis || waited > PROGRESS_AT_MOST * millis)
        return yield* Effect.die(waitedInVain(what, waited, textOf(value)))
      yield* Effect.sleep(nextLookMillis(waited))
    }
  })
