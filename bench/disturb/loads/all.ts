// Everything at once: the steps of all loads in turn, each with its own end state.
import { Effect } from "effect"
import type { Load } from "../Load.ts"
import { automations } from "./automations.ts"
import { records } from "./records.ts"
import { webhooks } from "./webhooks.ts"

export const single: ReadonlyArray<Load> = [records, webhooks, automations]

export const all: Load = {
  name: "all",
  about: "records, webhooks and automations at once",
  begin: Effect.fnUntraced(function* (context) {
    const running = yield* Effect.forEach(single, (load) => load.begin(context))
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
            Object.entries(one.counts()).map(([what, n]) => [`${single[i]!.name}: ${what}`, n] as const)
          )
        )
    }
  })
}
