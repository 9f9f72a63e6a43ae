// Memory under a steady load of deliveries.
import { Effect } from "effect"
import type { Check, Reading } from "../support/Check.ts"
import { append, creations, hookBed, seedApps, seedHook } from "../support/hooks.ts"
import { residentOf } from "../support/resident.ts"
import { median } from "../support/statistics.ts"
import { arrivedAll, steadily } from "../support/steady.ts"

const PER_SECOND = 100
const SAMPLE_SECONDS = 5
/** Growth of the resident memory after the warm-up that counts as flat. */
const FLAT = 1.15

export const soak: Check = {
  name: "webhook-soak",
  work: `${PER_SECOND} events a second delivered, resident memory of the service every ${SAMPLE_SECONDS} s`,
  seconds: 300,
  run: Effect.fnUntraced(function* (seconds, say) {
    const { machine, operate, receiver } = yield* hookBed()
    const apps = yield* operate(seedApps("Soak", 5))
    for (const app of apps) yield* operate(seedHook(app, receiver.port, `/hook-${app.appId}`))
    const samples: Array<number> = []
    const beats = 20
    yield* steadily(seconds, beats, (tick) =>
      Effect.suspend(() => {
        if (tick % (SAMPLE_SECONDS * beats) === 0) {
          samples.push(residentOf(machine.servicePid()!))
          say(
            `${tick / beats} s: ${samples.at(-1)!.toFixed(0)} MiB, ${receiver.count()} delivered of ${tick * (PER_SECOND / beats)}`
          )
        }
        return operate(append(creations(apps[tick % apps.length]!, 1 + tick * 10, PER_SECOND / beats)))
      })
    )
    yield* arrivedAll(receiver, seconds * PER_SECOND, 60)
    samples.push(residentOf(machine.servicePid()!))
    // The first fifth warms up; the last fifth is held against the second one.
    const part = Math.max(1, Math.floor(samples.length / 5))
    const early = median(samples.slice(part, 2 * part))
    const finalMemory = median(samples.slice(-part))
    return [
      { what: "deliveries", value: receiver.count(), unit: "" },
      { what: "resident memory after the warm-up", value: early, unit: "MiB" },
      { what: "resident memory at the end", value: finalMemory, unit: "MiB", atMost: 400 },
      { what: "end / after the warm-up", value: finalMemory / early, unit: "", atMost: FLAT }
    ] satisfies ReadonlyArray<Reading>
  }, Effect.scoped)
}
