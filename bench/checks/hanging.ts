// Receivers that hang: what apps beside them notice (decisions W4).
import { Effect, Fiber } from "effect"
import type { Check } from "../support/Check.ts"
import { append, creations, hookBed, seedApps, seedHook } from "../support/hooks.ts"
import { postLatenciesOf } from "../support/postLatencies.ts"
import { HANGING } from "../support/receiver.ts"
import { median, percentile } from "../support/statistics.ts"
import { steadily } from "../support/steady.ts"

const HANGING_APPS = 300
const OTHER_APPS = 10
/** Events of each other app and second. */
const OTHER_RATE = 1
/** Each app that hangs gets an event this often, which its receiver's 5 s and the retries make more than one in the air. */
const HANGING_EVERY_SECONDS = 6

export const hanging: Check = {
  name: "webhook-hanging",
  work: `${OTHER_APPS} apps with one event a second each, alone and beside ${HANGING_APPS} apps whose receivers all hang`,
  seconds: 60,
  run: Effect.fnUntraced(function* (seconds, say) {
    const { operate, receiver } = yield* hookBed()
    const healthyApps = yield* operate(seedApps("Others", OTHER_APPS))
    for (const app of healthyApps) yield* operate(seedHook(app, receiver.port, `/hook-${app.appId}`))
    const hangingApps = yield* operate(seedApps("Stuck", HANGING_APPS))
    for (const app of hangingApps) yield* operate(seedHook(app, receiver.port, `${HANGING}/${app.appId}`))
    let record = 1
    const load = (length: number) =>
      Effect.suspend(() => {
        const from = record
        record += 10_000_000
        return postLatenciesOf(operate, receiver, healthyApps, {
          seconds: length,
          perSecond: healthyApps.length * OTHER_RATE,
          from
        })
      })
    yield* load(5)
    const quietLatencies = yield* load(seconds)
    say(
      `alone: p50 ${median(quietLatencies).toFixed(1)} ms, p99 ${percentile(quietLatencies, 99).toFixed(1)} ms, ${quietLatencies.length} events`
    )
    let event = 5_000_000_000
    const storm = yield* Effect.forkChild(
      steadily(3600, HANGING_APPS / HANGING_EVERY_SECONDS, (tick) =>
        operate(append(creations(hangingApps[tick % hangingApps.length]!, event++, 1)))
      )
    )
    // Waits until every app has a request in flight.
    yield* Effect.sleep(HANGING_EVERY_SECONDS * 1000 + 10_000)
    const inAir = receiver.hanging()
    say(`${inAir} requests hang`)
    // Wakes actors that went idle in between, so that both sides start alike.
    yield* load(5)
    const besideLatencies = yield* load(seconds)
    say(
      `beside: p50 ${median(besideLatencies).toFixed(1)} ms, p99 ${percentile(besideLatencies, 99).toFixed(1)} ms, ${besideLatencies.length} events; ${receiver.hanging()} requests hang`
    )
    yield* Fiber.interrupt(storm)
    return [
      { what: "p50 from commit to POST, alone", value: median(quietLatencies), unit: "ms" },
      { what: "p99 alone", value: percentile(quietLatencies, 99), unit: "ms" },
      { what: `p50 beside ${HANGING_APPS} apps that hang`, value: median(besideLatencies), unit: "ms" },
      { what: "p99 beside them", value: percentile(besideLatencies, 99), unit: "ms" },
      { what: "requests that hang, at the start of the measurement", value: inAir, unit: "" },
      {
        what: "p50 beside / alone (W4)",
        value: median(besideLatencies) / median(quietLatencies),
        unit: "",
        atMost: 1.5
      }
    ]
  }, Effect.scoped)
}
