// Rows of webhooks: deliveries while work waits, and how soon an idle service posts. The peer is graphile-worker on the same
// Postgres, posting the same bodies to the same receiver; for a sleeping actor a bare signalWithStart.
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Outbox } from "../../src/engine/outbox/Outbox.ts"
import { RelayWake } from "../../src/engine/outbox/RelayWake.ts"
import { type AppOf, makeBed } from "../support/bed.ts"
import { append, creations, type HookApp, hookBed, type Operate, seedApps, seedHook } from "../support/hooks.ts"
import { postLatencyOf, warmed } from "../support/latency.ts"
import { BETWEEN_SIGNALS, BETWEEN_WARMING, bareSignal } from "../support/measures.ts"
import { startPeer } from "../support/processes.ts"
import { BenchFailed, type Measure, type Row } from "../support/Row.ts"
import { type BenchReceiver, startBenchReceiver } from "../support/receiver.ts"

const HOOKS = 20
/** Deliveries that wait at least, so that neither side runs dry. */
const BACKLOG = 4_000
const PATIENCE_MILLIS = 120_000

/** Feeds while the time runs, counts what arrives, then lets the rest arrive. */
const throughput = (receiver: BenchReceiver, feed: Effect.Effect<number, BenchFailed>): Measure =>
  Effect.fnUntraced(function* (seconds) {
    const from = receiver.count()
    let fed = 0
    const arrived = () => receiver.count() - from
    while (fed < BACKLOG) fed += yield* feed
    while (arrived() === 0) yield* Effect.sleep("5 millis")
    const [began, before] = [yield* Clock.currentTimeMillis, arrived()]
    while ((yield* Clock.currentTimeMillis) < began + seconds * 1000) {
      if (fed - arrived() < BACKLOG) fed += yield* feed
      else yield* Effect.sleep("10 millis")
    }
    const rate = (arrived() - before) / (((yield* Clock.currentTimeMillis) - began) / 1000)
    const until = (yield* Clock.currentTimeMillis) + PATIENCE_MILLIS
    while (arrived() < fed) {
      if ((yield* Clock.currentTimeMillis) > until)
        return yield* new BenchFailed({ message: `${fed - arrived()} of ${fed} deliveries never arrived` })
      yield* Effect.sleep("10 millis")
    }
    return { rate }
  })

const events = (operate: Operate, app: HookApp, count: number) => {
  let next = 1
  return Effect.suspend(() => {
    const firstEvent = next
    next += count
    return operate(append(creations(app, firstEvent, count)))
  })
}

/** Adds jobs in one statement, as a service that uses the peer would add them. */
const jobs = (operate: Operate, urls: ReadonlyArray<string>, count: number) => {
  let next = 1
  return Effect.suspend(() => {
    const specs = Array.from({ length: count }, (_, i) =>
      urls.map((url, hook) => ({
        identifier: "post",
        payload: { url, body: { hook_id: hook + 1, record_id: next + i, revision_id: 0, type: "record.create" } }
      }))
    ).flat()
    next += count
    return operate(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
            SELECT json_populate_record(NULL::graphile_worker.job_spec, spec)
            FROM json_array_elements(${JSON.stringify(specs)}::json) AS spec))`
      )
    )
  })
}

const deliveries = Effect.gen(function* () {
  const bed = yield* hookBed()
  const { machine, operate, receiver } = bed
  const [app] = yield* operate(seedApps("Deliveries", 1))
  for (let i = 0; i < HOOKS; i++) yield* operate(seedHook(app!, receiver.port, `/hook-${i}`))
  yield* startPeer(machine, "graphile.js")
  const urls = Array.from({ length: HOOKS }, (_, i) => `http://${receiver.hostPort}/peer-${i}`)
  const each = 50
  return {
    ours: throughput(receiver, Effect.as(events(operate, app!, each), each * HOOKS)),
    peer: throughput(receiver, Effect.as(jobs(operate, urls, each), each * HOOKS))
  }
})

/** Compares the same hooks with and without settings: a filter that every event matches and headers, one of them secret, against none. */
const settings = Effect.gen(function* () {
  const receiver = yield* startBenchReceiver
  const env = { OUTBOUND_ALLOW: receiver.hostPort, WEBHOOK_PER_MINUTE: "100000000" }
  const bed = yield* makeBed("bench-settings", { env })
  const side = Effect.fnUntraced(
    function* (name: string, settings?: (app: AppOf) => object) {
      const app = yield* bed.app(name)
      const hookScope = { orgId: bed.orgId, appId: app.appId }
      for (let i = 0; i < HOOKS; i++) {
        const { hookId } = yield* bed.operate(seedHook(hookScope, receiver.port, `/${name}-${i}`))
        if (settings !== undefined) yield* bed.client.get("PUT", `/v1/hook/${hookId}/settings`, { body: settings(app) })
      }
      const each = 50
      return throughput(receiver, Effect.as(bed.records(app, each, true), each * HOOKS))
    },
    Effect.mapError((error) => new BenchFailed({ message: error.message }))
  )
  const ours = yield* side("with", ({ fields }) => ({
    filter: {
      operator: "and",
      rows: [
        {
          subject: { kind: "variable", source: "field", field_type: "number", field_id: fields["count"] },
          operator: "greater_than",
          value: { type: "number", number: ["0"] }
        }
      ]
    },
    headers: { "X-Environment": "bench", "X-Key": { secret: "a value of no use" } }
  }))
  return { ours, peer: yield* side("without") }
})

/** Notices go with commits, and nowhere else. */
const outboxWithoutWake = Outbox.layer.pipe(
  Layer.provide(Layer.succeed(RelayWake, { poke: Effect.void, next: Effect.never }))
)

/**
 * Appends one event after another. Each commit carries one notification, as that of the peer's job does; within the process a write needs
 * none. Neither side is traced.
 */
const event = (operate: Operate, app: HookApp) => {
  let next = 1
  return Effect.suspend(() => {
    const appendEvent = Effect.provide(append(creations(app, next++, 1)), outboxWithoutWake)
    return operate(
      SqlClient.SqlClient.use((sql) =>
        sql.withTransaction(Effect.andThen(appendEvent, sql`SELECT pg_notify('outbox', '')`))
      )
    ).pipe(Effect.withTracerEnabled(false))
  })
}

const oneHook = Effect.fnUntraced(function* (env: Record<string, string>) {
  const bed = yield* hookBed({ env })
  const [app] = yield* bed.operate(seedApps("Latency", 1))
  yield* bed.operate(seedHook(app!, bed.receiver.port, "/hook"))
  return { ...bed, send: event(bed.operate, app!) }
})

/** The actor lingers for longer than the pause between two events. */
const awake = Effect.gen(function* () {
  const { machine, operate, receiver, send } = yield* oneHook({})
  yield* startPeer(machine, "graphile.js")
  const job = jobs(operate, [`http://${receiver.hostPort}/peer`], 1)
  return {
    warm: warmed(postLatencyOf(receiver, send, 0), postLatencyOf(receiver, job, 0)),
    ours: postLatencyOf(receiver, send, 300),
    peer: postLatencyOf(receiver, job, 300)
  }
})

/** The actor sleeps as soon as nothing waits, so every event has to wake it. */
const asleep = Effect.gen(function* () {
  const { machine, receiver, send } = yield* oneHook({ ACTOR_TUNING: JSON.stringify({ lingerMillis: 1 }) })
  const bare = yield* bareSignal(machine)
  return {
    warm: warmed(postLatencyOf(receiver, send, BETWEEN_WARMING), bare(BETWEEN_WARMING)),
    ours: postLatencyOf(receiver, send, BETWEEN_SIGNALS),
    peer: bare(BETWEEN_SIGNALS)
  }
})

export const webhookRows: ReadonlyArray<Row> = [
  {
    name: "webhook-deliveries",
    work: `deliveries of ${HOOKS} hooks, limits lifted, attempt rows written, at least ${BACKLOG} waiting`,
    peer: "graphile-worker",
    measure: "rate",
    unit: "deliveries/s",
    more: true,
    aim: 1,
    prepare: deliveries
  },
  {
    name: "webhook-deliveries-settings",
    work: `deliveries of ${HOOKS} hooks with a filter, which matches, and headers, one of them secret`,
    peer: "the same hooks with nothing set",
    measure: "rate",
    unit: "deliveries/s",
    more: true,
    aim: 0.9,
    prepare: settings
  },
  {
    name: "webhook-latency-awake",
    work: "from an event's commit to its POST, the app's actor awake and idle",
    peer: "graphile-worker",
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 6,
    absolute: true,
    prepare: awake
  },
  {
    name: "webhook-latency-asleep",
    work: "from an event's commit to its POST, the app's actor asleep",
    peer: "bare signalWithStart to its activity's first line",
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 1.3,
    prepare: asleep
  }
]
