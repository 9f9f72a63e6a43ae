// Measures the duration of a call, repeated for some seconds, one call after another.
import { Effect } from "effect"
import { BenchFailed } from "./Row.ts"
import { percentile } from "./statistics.ts"

/** Percentiles in milliseconds; makes the call at least once. */
export const callTimes = Effect.fnUntraced(function* (
  seconds: number,
  call: Effect.Effect<unknown, { readonly message: string }>
) {
  const durations: Array<number> = []
  const until = performance.now() + seconds * 1000
  do {
    const from = performance.now()
    yield* Effect.mapError(call, ({ message }) => new BenchFailed({ message }))
    durations.push(performance.now() - from)
  } while (performance.now() < until)
  return { p50: percentile(durations, 50), p99: percentile(durations, 99) }
})
