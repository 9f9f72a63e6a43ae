// Measurements of webhooks without a peer: receivers that hang (W4), the length of the actors' histories, memory in a soak.
import { readFileSync } from "node:fs"
import { Connection, WorkflowClient } from "@temporalio/client"
import { Clock, Effect, Fiber } from "effect"
import type { Check, Reading } from "../support/Check.ts"
import { append, creations, type HookApp, hookBed, type Operate, seedApps, seedHook } from "../support/hooks.ts"
import type { Machine } from "../support/machine.ts"
import { BenchFailed } from "../support/Row.ts"
import { type BenchReceiver, HANGING } from "../support/receiver.ts"
import { median } from "../support/statistics.ts"

/** Appends on a steady beat, whatever an append takes. @param beat appends what is due at each tick */
const steadily = <A, E>(seconds: number, perSecond: number, beat: (tick: number) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    for (let tick = 0; tick < seconds * perSecond; tick++) {
      const wait = began + (tick * 1000) / perSecond - (yield* Clock.currentTimeMillis)
      if (wait > 0) yield* Effect.sleep(wait)
      yield* beat(tick)
    }
  })

const arrivedAll = Effect.fnUntraced(function* (receiver: BenchReceiver, wanted: number, seconds: number) {
  const until = (yield* Clock.currentTimeMillis) + seconds * 1000
  while (receiver.count() < wanted) {
    if ((yield* Clock.currentTimeMillis) > until)
      return yield* new BenchFailed({ message: `${receiver.count()} of ${wanted} deliveries arrived` })
    yield* Effect.sleep("20 millis")
  }
})

// Receivers that hang (W4)

const HANGING_APPS = 300
const OTHER_APPS = 10
/** Events of each other app and second. */
const OTHER_RATE = 1
/** Each app that hangs gets an event this often, which its receiver's 5 s and the retries make more than one in the air. */
const HANGING_EVERY_SECONDS = 6

/** Median of the time from an event's commit to its POST while the other apps get their load. */
const loadOfOthers = Effect.fnUntraced(function* (
  operate: Operate,
  receiver: BenchReceiver,
  apps: ReadonlyArray<HookApp>,
  seconds: number,
  from: number
) {
  const sent = new Map<string, number>()
  const taken: Array<number> = []
  receiver.onRequest((_path, body) => {
    const at = performance.now()
    const { hook_id, record_id } = JSON.parse(body)
    const since = sent.get(`${record_id}`)
    if (since !== undefined) taken.push(at - since)
    sent.delete(`${record_id}`)
    void hook_id
  })
  yield* steadily(seconds, apps.length * OTHER_RATE, (tick) => {
    const record = from + tick
    return Effect.suspend(() => {
      sent.set(String(record), performance.now())
      return operate(append(creations(apps[tick % apps.length]!, record, 1)))
    })
  })
  const until = (yield* Clock.currentTimeMillis) + 30_000
  while (sent.size > 0 && (yield* Clock.currentTimeMillis) < until) yield* Effect.sleep("50 millis")
  receiver.onRequest(undefined)
  if (sent.size > 0) return yield* new BenchFailed({ message: `${sent.size} events of the other apps never arrived` })
  return taken
})

const percentile = (numbers: ReadonlyArray<number>, share: number) =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? Number.NaN

const hanging: Check = {
  name: "webhook-hanging",
  work: `${OTHER_APPS} apps with one event a second each, alone and beside ${HANGING_APPS} apps whose receivers all hang`,
  seconds: 60,
  run: Effect.fnUntraced(function* (seconds, say) {
    const { machine, operate, receiver } = yield* hookBed()
    const others = yield* operate(seedApps("Others", OTHER_APPS))
    for (const app of others) yield* operate(seedHook(app, receiver.port, `/hook-${app.appId}`))
    const stuck = yield* operate(seedApps("Stuck", HANGING_APPS))
    for (const app of stuck) yield* operate(seedHook(app, receiver.port, `${HANGING}/${app.appId}`))
    let record = 1
    const load = (length: number) =>
      Effect.suspend(() => {
        const from = record
        record += 10_000_000
        return loadOfOthers(operate, receiver, others, length, from)
      })
    yield* load(5)
    const alone = yield* load(seconds)
    say(
      `alone: p50 ${median(alone).toFixed(1)} ms, p99 ${percentile(alone, 0.99).toFixed(1)} ms, ${alone.length} events`
    )
    let event = 5_000_000_000
    const storm = yield* Effect.forkChild(
      steadily(3600, HANGING_APPS / HANGING_EVERY_SECONDS, (tick) =>
        operate(append(creations(stuck[tick % stuck.length]!, event++, 1)))
      )
    )
    // Until every app has one in the air.
    yield* Effect.sleep(HANGING_EVERY_SECONDS * 1000 + 10_000)
    const inAir = receiver.hanging()
    say(`${inAir} requests hang`)
    const beside = yield* load(seconds)
    say(
      `beside: p50 ${median(beside).toFixed(1)} ms, p99 ${percentile(beside, 0.99).toFixed(1)} ms, ${beside.length} events; ${receiver.hanging()} requests hang`
    )
    yield* Fiber.interrupt(storm)
    void machine
    return [
      { what: "p50 from commit to POST, alone", value: median(alone), unit: "ms" },
      { what: "p99 alone", value: percentile(alone, 0.99), unit: "ms" },
      { what: `p50 beside ${HANGING_APPS} apps that hang`, value: median(beside), unit: "ms" },
      { what: "p99 beside them", value: percentile(beside, 0.99), unit: "ms" },
      { what: "requests that hang, at the start of the measurement", value: inAir, unit: "" },
      { what: "p50 beside / alone (W4)", value: median(beside) / median(alone), unit: "", atMost: 1.5 }
    ]
  }, Effect.scoped)
}

// The actors' histories

const PER_SECOND = 100
const HISTORY_PER_DELIVERY = 2_000 / 10_000

/** Every execution of an app's actor: its history as JSON and how many events it has. */
const histories = (machine: Machine, appId: number) =>
  Effect.tryPromise({
    try: async () => {
      const connection = await Connection.connect({ address: machine.env["TEMPORAL_ADDRESS"]! })
      const client = new WorkflowClient({ connection, namespace: machine.env["TEMPORAL_NAMESPACE"]! })
      const found: Array<{ events: number; text: string }> = []
      for await (const { runId, workflowId } of client.list({ query: `WorkflowId = "webhooks/app/${appId}"` })) {
        const { events } = await client.getHandle(workflowId, runId).fetchHistory()
        const decoded = (events ?? []).map((event) =>
          JSON.stringify(event, (_key, value) =>
            value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : value
          )
        )
        found.push({ events: decoded.length, text: decoded.join("\n") })
      }
      await connection.close()
      return found
    },
    catch: (error) => new BenchFailed({ message: (error as Error).message })
  })

const history: Check = {
  name: "webhook-history",
  work: `${PER_SECOND} deliveries a second with limits lifted: the history of all executions of the app's actor together`,
  seconds: 100,
  run: Effect.fnUntraced(function* (seconds, say) {
    const { machine, operate, receiver } = yield* hookBed()
    const [app] = yield* operate(seedApps("History", 1))
    const { secret } = yield* operate(seedHook(app!, receiver.port, "/private-path"))
    const deliveries = seconds * PER_SECOND
    yield* steadily(seconds, 10, (tick) => operate(append(creations(app!, 1 + tick * 10, PER_SECOND / 10))))
    yield* arrivedAll(receiver, deliveries, 60)
    // Past the linger, so that the last execution has ended.
    yield* Effect.sleep("8 seconds")
    const found = yield* histories(machine, app!.appId)
    const events = found.reduce((sum, one) => sum + one.events, 0)
    const text = found.map((one) => one.text).join("\n")
    const told = ["private-path", "http://", secret, secret.slice(6), "record_id", "revision_id"].filter((part) =>
      text.includes(part)
    )
    say(`${found.length} executions, ${events} events, ${text.length} characters`)
    return [
      { what: "deliveries", value: deliveries, unit: "" },
      { what: "executions of the actor", value: found.length, unit: "" },
      {
        what: "history events of all of them",
        value: events,
        unit: "",
        atMost: Math.ceil(deliveries * HISTORY_PER_DELIVERY)
      },
      { what: "URLs, payloads and secrets found in them", value: told.length, unit: "", atMost: 0 }
    ]
  }, Effect.scoped)
}

// The soak

const SAMPLE_SECONDS = 5
/** Growth of the resident memory after the warm-up that counts as flat. */
const FLAT = 1.15

const rss = (pid: number) => {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))
  return Number(line?.[1] ?? Number.NaN) / 1024
}

const soak: Check = {
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
          samples.push(rss(machine.servicePid()!))
          say(
            `${tick / beats} s: ${samples.at(-1)!.toFixed(0)} MiB, ${receiver.count()} delivered of ${tick * (PER_SECOND / beats)}`
          )
        }
        return operate(append(creations(apps[tick % apps.length]!, 1 + tick * 10, PER_SECOND / beats)))
      })
    )
    yield* arrivedAll(receiver, seconds * PER_SECOND, 60)
    samples.push(rss(machine.servicePid()!))
    // The first fifth warms up; the last fifth is held against the second one.
    const part = Math.max(1, Math.floor(samples.length / 5))
    const early = median(samples.slice(part, 2 * part))
    const late = median(samples.slice(-part))
    return [
      { what: "deliveries", value: receiver.count(), unit: "" },
      { what: "resident memory after the warm-up", value: early, unit: "MiB" },
      { what: "resident memory at the end", value: late, unit: "MiB", atMost: 600 },
      { what: "end / after the warm-up", value: late / early, unit: "", atMost: FLAT }
    ] satisfies ReadonlyArray<Reading>
  }, Effect.scoped)
}

export const webhookChecks: ReadonlyArray<Check> = [hanging, history, soak]
