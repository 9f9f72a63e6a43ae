// Measures the duration of a call, repeated for some seconds: one call after another, or two calls in turn.
import { Effect } from "effect"
import { BenchFailed } from "./Row.ts"
import { percentile } from "./statistics.ts"

type Call = Effect.Effect<unknown, { readonly message: string }>

/** Calls of either kind that come before those in turn are measured. */
const WARM = 20

/** Duration of a call in milliseconds. */
const timed = Effect.fnUntraced(function* (call: Call) {
  const from = performance.now()
  yield* Effect.mapError(call, ({ message }) => new BenchFailed({ message }))
  return performance.now() - from
})

/** Percentiles in milliseconds; makes the call at least once. */
export const callTimes = Effect.fnUntraced(function* (seconds: number, call: Call) {
  const durations: Array<number> = []
  const until = performance.now() + seconds * 1000
  do durations.push(yield* timed(call))
  while (performance.now() < until)
  return { p50: percentile(durations, 50), p99: percentile(durations, 99) }
})

/** Durations in milliseconds, of the first call and of the second; each is made at least once after it has run warm. */
export const timesInTurn = Effect.fnUntraced(function* (seconds: number, [first, second]: readonly [Call, Call]) {
  const durations: readonly [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < WARM; round++) yield* Effect.andThen(timed(first), timed(second))
  const until = performance.now() + seconds * 1000
  do {
    durations[0].push(yield* timed(first))
    durations[1].push(yield* timed(second))
  } while (performance.now() < until)
  return durations
})
