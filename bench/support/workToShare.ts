// Work that several processes share: how it is laid on for so many seconds, and how much of it they did in each of them. Deliveries and runs
// are of many apps, since an app has one actor, which is in one process at a time; so are writes, since the records of an app are counted.
import { Clock, Effect } from "effect"
import { type AppOf, created, makeBed, update } from "./bed.ts"
import { append, creations, hookBed, seedApps, seedHook } from "./hooks.ts"
import type { Machine, MachineFailed } from "./machine.ts"
import { loader, type Request } from "./processes.ts"
import { BenchFailed } from "./Row.ts"
import { makeApp, seeded } from "./servers.ts"

/** Lays on work for so many seconds; what was done a second. */
type Load = (seconds: number) => Effect.Effect<number, BenchFailed>

export interface Work {
  readonly machine: Machine
  readonly role: "api" | "worker"
  readonly unit: string
  /** @param urls of the processes that it is for */
  readonly on: (urls: ReadonlyArray<string>) => Effect.Effect<Load, BenchFailed>
  /** Waits until nothing is left. */
  readonly drained: Effect.Effect<void, BenchFailed>
}

const APPS = 32
const HOOKS = 10
/** Events in one commit of the load. */
const EVENTS = 8
/** Each is a run alone: with eight at a time the load was slower than eight processes, which then had nothing that waits. */
const RUN_EVENTS = 40
/** Deliveries or runs that wait at least: so many that eight processes, which work a tenth of the time, never wait for work. */
const WAITING = 6400
const CONNECTIONS = 96
const PATIENCE_MILLIS = 120_000

interface Feed {
  /** Feeds the app with this index; answers how much work that is. */
  readonly feed: (app: number) => Effect.Effect<number, BenchFailed>
  /** Amount of waiting work, app by app. */
  readonly waiting: Effect.Effect<ReadonlyArray<number>, BenchFailed>
  /** Milliseconds between two queries of `waiting`. */
  readonly lookMillis: number
  /** Amount of work that is done, of all apps. */
  readonly done: Effect.Effect<number, BenchFailed>
}

/** Feeds until the time is up: each app has as much that waits as the others, however fast they are. */
const fed = ({ done, feed, lookMillis, waiting }: Feed) => {
  let fedCount = 0
  let next = 0
  const load: Load = Effect.fnUntraced(function* (seconds) {
    const [from, before] = [yield* Clock.currentTimeMillis, yield* done]
    let lookedAt = from
    let waitCounts = [...(yield* waiting)]
    for (let nowMillis = from; nowMillis < from + seconds * 1000; nowMillis = yield* Clock.currentTimeMillis) {
      const hungry = Array.from({ length: APPS }, (_, i) => (next + i) % APPS).find(
        (app) => waitCounts[app]! < WAITING / APPS
      )
      if (hungry === undefined) yield* Effect.sleep("20 millis")
      else {
        const more = yield* feed(hungry)
        fedCount += more
        waitCounts[hungry]! += more
        next = hungry + 1
      }
      if (nowMillis < lookedAt + lookMillis) continue
      waitCounts = [...(yield* waiting)]
      lookedAt = nowMillis
    }
    return ((yield* done) - before) / (((yield* Clock.currentTimeMillis) - from) / 1000)
  })
  const drained = Effect.gen(function* () {
    const until = (yield* Clock.currentTimeMillis) + PATIENCE_MILLIS
    for (;;) {
      const remainingCount = fedCount - (yield* done)
      if (remainingCount <= 0) return
      if ((yield* Clock.currentTimeMillis) > until)
        return yield* new BenchFailed({ message: `${remainingCount} of ${fedCount} were never done` })
      yield* Effect.sleep("200 millis")
    }
  })
  return { drained, on: () => Effect.succeed(load) }
}

/** The worker's work; what the load itself needs is an api without a bound. */
const BESIDE = { env: { ROLE: "api" } }

const deliveries = Effect.gen(function* () {
  const { machine, operate, receiver } = yield* hookBed(BESIDE)
  const apps = yield* operate(seedApps("Shared", APPS))
  for (const app of apps)
    for (let i = 0; i < HOOKS; i++) yield* operate(seedHook(app, receiver.port, `/${app.appId}/${i}`))
  // A delivery that is sent again counts once.
  const deliveryIds = new Set<string>()
  const waitCounts = new Array<number>(APPS).fill(0)
  const placeOf = new Map(apps.map(({ appId }, place) => [String(appId), place]))
  receiver.onRequest((path, _body, id) => {
    if (deliveryIds.has(id)) return
    deliveryIds.add(id)
    waitCounts[placeOf.get(path.split("/")[1]!)!]!--
  })
  let events = 0
  const feed = (app: number) =>
    Effect.suspend(() => {
      const firstEvent = 1 + events
      events += EVENTS
      waitCounts[app]! += EVENTS * HOOKS
      return Effect.as(operate(append(creations(apps[app]!, firstEvent, EVENTS))), EVENTS * HOOKS)
    })
  const work = fed({
    feed,
    waiting: Effect.sync(() => waitCounts),
    lookMillis: 20,
    done: Effect.sync(() => deliveryIds.size)
  })
  return { machine, role: "worker", unit: "deliveries/s", ...work } satisfies Work
})

const runs = Effect.gen(function* () {
  // All are of one organization: with the 50 places that one has by default, eight processes would wait for those.
  const bed = yield* makeBed("bench-shared", { env: { ...BESIDE.env, RUNS_CONCURRENT: "800" } })
  const apps: Array<AppOf> = []
  for (let i = 0; i < APPS; i++) {
    const app = yield* bed.app(`Shared ${i}`)
    yield* bed.automation(app.appId, { trigger: created, actions: [update(app, "stamped")] })
    apps.push(app)
  }
  const countWaiting = bed.operate(
    Effect.map(
      bed.sql<{ app_id: number; n: number }>`
        SELECT app_id, count(*)::int AS n FROM (
          SELECT app_id FROM automation_inbox UNION ALL SELECT app_id FROM outbox WHERE type = 'record.create'
        ) AS w GROUP BY app_id`,
      (rows) => {
        const counts = new Map(rows.map(({ app_id, n }) => [app_id, n]))
        return apps.map(({ appId }) => counts.get(appId) ?? 0)
      }
    )
  )
  // Both look through what is long gone: asked ten times a second they were a fifth of what the database did.
  const countDone = bed.operate(
    Effect.map(
      bed.sql<{ n: number }>`SELECT count(*)::int AS n FROM runs WHERE completed_on IS NOT NULL`,
      ([row]) => row!.n
    )
  )
  const feed = (app: number) => Effect.suspend(() => Effect.as(bed.records(apps[app]!, RUN_EVENTS, true), RUN_EVENTS))
  const work = fed({ feed, waiting: countWaiting, lookMillis: 1000, done: countDone })
  return { machine: bed.machine, role: "worker", unit: "runs/s", ...work } satisfies Work
})

const overHttp = (
  requestsOf: (bed: Effect.Success<ReturnType<typeof seeded>>) => Effect.Effect<ReadonlyArray<Request>, BenchFailed>
) =>
  Effect.gen(function* () {
    const bed = yield* seeded(1)
    const requests = yield* requestsOf(bed)
    const on: Work["on"] = (urls) => {
      const load = loader(bed.machine, urls, CONNECTIONS, requests)
      return Effect.succeed((seconds) => Effect.map(load(seconds), ({ rate }) => rate ?? 0))
    }
    return { machine: bed.machine, role: "api", unit: "requests/s", on, drained: Effect.void } satisfies Work
  })

const reads = overHttp(({ tokens }) =>
  Effect.succeed(
    tokens.map((token) => ({ method: "GET", path: "/v1/user", headers: { authorization: `Bearer ${token}` } }))
  )
)

const writeRecords = overHttp(({ client, tokens }) =>
  Effect.gen(function* () {
    const apps: Array<number> = []
    for (let i = 0; i < APPS; i++) {
      const app = yield* makeApp(client, `Shared ${i}`, [{ field_type: "single_text", config: { label: "Reference" } }])
      apps.push(app.app_id)
    }
    return tokens.map((token, i) => ({
      method: "POST",
      path: `/v1/record/app/${apps[i % APPS]}`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ fields: { reference: `Order ${i}` } })
    }))
  })
)

export const kindsOfWork = { deliveries, runs, reads, writes: writeRecords } satisfies Record<
  string,
  Effect.Effect<Work, BenchFailed | MachineFailed, unknown>
>
export type WorkKind = keyof typeof kindsOfWork
