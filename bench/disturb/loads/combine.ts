// Several loads as one: their steps in turn, each with its own end state.
import { Effect } from "effect"
import type { Load } from "../Load.ts"

export const combine = (name: string, about: string, loads: ReadonlyArray<Load>): Load => ({
  name,
  about,
  begin: Effect.fnUntraced(function* (context) {
    const running = yield* Effect.forEach(loads, (load) => load.begin(context))
    return {
      step: (worker, n) => running[n % running.length]!.step(worker, Math.floor(n / running.length)),
      settled: Effect.map(Effect.all(running.map((one) => one.settled)), (parts) => ({
        done: parts.reduce((sum, { done }) => sum + done, 0),
        total: parts.reduce((sum, { total }) => sum + total, 0)
      })),
      differences: Effect.map(Effect.all(running.map((one) => one.differences)), (found) => found.flat()),
      counts: () =>
        Object.fromEntries(
          running.flatMap((one, i) =>
            Object.entries(one.counts()).map(([what, n]) => [`${loads[i]!.name}: ${what}`, n] as const)
          )
        )
    }
  })
})
