// Measures durations of two calls that are made in turn for some seconds.
import { Effect } from "effect"
import { BenchFailed } from "./Row.ts"

type Call = Effect.Effect<unknown, { readonly message: string }>

const WARM = 20

/** Durations in milliseconds, of the first call and of the second; each is made at least once after it has run warm. */
export const timesInTurn = Effect.fnUntraced(function* (seconds: number, calls: readonly [Call, Call]) {
  const durations: readonly [Array<number>, Array<number>] = [[], []]
  const timed = Effect.fnUntraced(function* (which: 0 | 1) {
    const from = performance.now()
    yield* Effect.mapError(calls[which], ({ message }) => new BenchFailed({ message }))
    return performance.now() - from
  })
  for (let round = 0; round < WARM; round++) for (const which of [0, 1] as const) yield* timed(which)
  const until = performance.now() + seconds * 1000
  do {
    for (const which of [0, 1] as const) durations[which].push(yield* timed(which))
  } while (performance.now() < until)
  return durations
})
