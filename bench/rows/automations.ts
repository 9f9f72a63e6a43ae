// Rows of automations: the whole service with Temporal against graphile-worker, DBOS and bare Temporal, which do the same work by
// hand on the same Postgres (peers/jobs.js, peers/temporal.js). Events are put into the outbox as a write leaves them there.
import { Clock, Effect, Fiber } from "effect"
import { type AppOf, type Bed, makeBed, setText } from "../support/bed.ts"
import { startPeer } from "../support/processes.ts"
import { BenchFailed, type Measure, type Row, type Sample } from "../support/Row.ts"
import { median } from "../support/statistics.ts"

const created = { type: "record_created", config: {} }
const update = (app: AppOf, value: string) => ({
  type: "current_record_update",
  config: { field_assignments: [setText(app.fields["note"]!, value)], trigger_other_flows: false }
})
const compute = (label: string, code: string) => ({
  type: "custom_variable",
  config: { assignment_code: [code], custom_variable_defs: [{ custom_type: "any", label }] }
})
const neverOf = (app: AppOf) => ({
  operator: "and",
  rows: [
    {
      subject: { kind: "variable", source: "field", field_id: app.fields["name"], field_type: "single_text" },
      operator: "is",
      value: { type: "text", text: ["nothing is called so"] }
    }
  ]
})

/** Runs of an automation that are over. */
const over = ({ sql }: Bed, automationId: number) =>
  Effect.map(
    sql<{
      n: number
    }>`SELECT count(*)::int AS n FROM runs WHERE automation_id = ${automationId} AND completed_on IS NOT NULL`,
    ([row]) => row!.n
  )

const timed = <E>(work: Effect.Effect<void, E>) =>
  Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    yield* work
    return ((yield* Clock.currentTimeMillis) - before) / 1000
  })

/** How many events a measurement of so many seconds is made of. */
const eventsOf = (seconds: number) => Math.max(50, Math.round(seconds * 100))

/** Events of new records until each has become a finished run. */
const runsOf = (bed: Bed, app: AppOf, automationId: number): Measure => {
  let goal = 0
  return (seconds) =>
    Effect.gen(function* () {
      const count = eventsOf(seconds)
      goal += count
      const took = yield* timed(
        Effect.andThen(bed.records(app, count, true), bed.until("runs", over(bed, automationId), goal, 20))
      )
      return { rate: count / took }
    })
}

/** A job of the peer's, by its name. */
const peerOf = Effect.fnUntraced(function* (bed: Bed, script: string, kinds: string) {
  const peer = yield* startPeer(bed.machine, script, { PEERS: kinds })
  return (work: string, countOf: (seconds: number) => number): Measure =>
    (seconds) =>
      Effect.tryPromise({
        try: async () => {
          const response = await fetch(`${peer.url}/?work=${work}&count=${countOf(seconds)}`)
          const text = await response.text()
          if (!response.ok) throw new Error(text)
          return JSON.parse(text) as Sample
        },
        catch: (error) => new BenchFailed({ message: `${work}: ${(error as Error).message}` })
      })
})

const stamping = Effect.gen(function* () {
  const bed = yield* makeBed("bench-automations")
  const app = yield* bed.app("Stamped")
  const id = yield* bed.automation(app.appId, { trigger: created, actions: [update(app, "stamped")] })
  return { bed, ours: runsOf(bed, app, id) }
})

const nonMatching = Effect.gen(function* () {
  const bed = yield* makeBed("bench-filters")
  const app = yield* bed.app("Filtered")
  yield* bed.automation(app.appId, { trigger: created, filter: neverOf(app), actions: [update(app, "never")] })
  const open = Effect.map(
    bed.sql<{
      n: number
    }>`SELECT (SELECT count(*) FROM outbox)::int + (SELECT count(*) FROM automation_inbox)::int AS n`,
    ([row]) => (row!.n === 0 ? 1 : 0)
  )
  const ours: Measure = (seconds) =>
    Effect.gen(function* () {
      const count = eventsOf(seconds) * 5
      const took = yield* timed(Effect.andThen(bed.records(app, count, true), bed.until("events", open, 1, 20)))
      return { rate: count / took }
    })
  const peer = yield* peerOf(bed, "jobs.js", "graphile")
  return { ours, peer: peer("look", (seconds) => eventsOf(seconds)) }
})

/** From the commit of an event to the commit of the first step, one event after another; `pauseMillis` between them. */
const latencyOf = (bed: Bed, app: AppOf, automationId: number, pauseMillis: number): Measure =>
  Effect.fnUntraced(function* (seconds: number) {
    const found: Array<number> = []
    const count = pauseMillis > 1_000 ? Math.max(2, Math.round(seconds / 2)) : seconds * 5
    for (let i = 0; i < count; i++) {
      yield* Effect.sleep(pauseMillis)
      const [recordId] = yield* bed.records(app, 1, true)
      const run = bed.sql<{ millis: number }>`
        SELECT (extract(epoch FROM r.completed_on - o.created_on) * 1000)::float8 AS millis
        FROM runs r JOIN records o USING (record_id)
        WHERE r.automation_id = ${automationId} AND r.record_id = ${recordId!} AND r.completed_on IS NOT NULL`
      const ended = Effect.map(run, ({ length }) => length)
      yield* bed.until("the run", ended, 1, 10)
      const [row] = yield* Effect.mapError(run, ({ message }) => new BenchFailed({ message }))
      found.push(row!.millis)
    }
    return { p50: median(found) }
  })

const latency = (pauseMillis: number, script: string, work: string) =>
  Effect.gen(function* () {
    // An actor that does not linger sleeps between two events.
    const tuning = pauseMillis > 1_000 ? { ACTOR_TUNING: JSON.stringify({ lingerMillis: 200 }) } : {}
    const bed = yield* makeBed("bench-latency", { env: tuning })
    const app = yield* bed.app("Awaited")
    const id = yield* bed.automation(app.appId, { trigger: created, actions: [update(app, "stamped")] })
    const peer = yield* peerOf(bed, script, "graphile")
    return { ours: latencyOf(bed, app, id, pauseMillis), peer: peer(work, (seconds) => seconds * 3) }
  })

const LOOP_ITEMS = 1_000

/** A called run over a collection or a list of steps: from the call to its end. */
const called = (bed: Bed, app: AppOf, actions: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const id = yield* bed.automation(app.appId, { trigger: { type: "automation_called", config: {} }, actions })
    const [recordId] = yield* bed.records(app, 1, false)
    let goal = 0
    const measure: Measure = () =>
      Effect.gen(function* () {
        goal++
        const body = { trigger_on_record_id: recordId }
        const call = bed.client.get("POST", `/v1/automation/${id}/trigger`, { body })
        yield* Effect.mapError(call, ({ message }) => new BenchFailed({ message }))
        yield* bed.until("the run", over(bed, id), goal, 20)
        const [row] = yield* bed.sql<{ status: string; seconds: number }>`
          SELECT status, extract(epoch FROM completed_on - started_on)::float8 AS seconds FROM runs
          WHERE automation_id = ${id} ORDER BY run_id DESC LIMIT 1`.pipe(
          Effect.mapError(({ message }) => new BenchFailed({ message }))
        )
        if (row?.status !== "completed") return yield* new BenchFailed({ message: `the run is ${row?.status}` })
        return { seconds: row.seconds }
      })
    return measure
  })

const loop = (work: string, kinds: string) =>
  Effect.gen(function* () {
    const bed = yield* makeBed("bench-loop")
    const app = yield* bed.app("Looped")
    const copies = yield* bed.app("Copies")
    const list = `Array.from({ length: ${LOOP_ITEMS} }, (_, i) => i)`
    const createdNumber = {
      kind: "variable",
      source: "action",
      action_type: "created_record",
      property: "record_id"
    }
    const ours = yield* called(bed, app, [
      compute("Items", list),
      {
        type: "for_loop",
        config: {
          iterable: { kind: "variable", source: "custom", custom_type: "any", label: "Items" },
          action_rows: [
            {
              type: "record_create",
              config: {
                app_id: copies.appId,
                field_assignments: [setText(copies.fields["name"]!, "item")],
                trigger_other_flows: false
              }
            },
            {
              type: "current_record_update",
              config: {
                trigger_other_flows: false,
                field_assignments: [{ ...setText(app.fields["note"]!, ""), field_value: ["item ", createdNumber] }]
              }
            },
            compute("Note", "7")
          ]
        }
      }
    ])
    const peer = yield* peerOf(bed, "jobs.js", kinds)
    return { ours, peer: peer(work, () => LOOP_ITEMS) }
  })

const light = (script: string, work: string, kinds: string) =>
  Effect.gen(function* () {
    const bed = yield* makeBed("bench-light")
    const app = yield* bed.app("Light")
    const ours = yield* called(
      bed,
      app,
      Array.from({ length: 40 }, (_, i) => compute(`Step ${i}`, String(i)))
    )
    const peer = yield* peerOf(bed, script, kinds)
    return { ours, peer: peer(work, () => 40) }
  })

/** The latency of one automation beside another's trouble, and without it. */
const undisturbed = (trouble: (bed: Bed, app: AppOf) => Effect.Effect<Effect.Effect<void, BenchFailed>, BenchFailed>) =>
  Effect.gen(function* () {
    const bed = yield* makeBed("bench-trouble")
    const troubled = yield* bed.app("Troubled")
    const app = yield* bed.app("Beside")
    const id = yield* bed.automation(app.appId, { trigger: created, actions: [update(app, "stamped")] })
    const measure = latencyOf(bed, app, id, 50)
    const going = yield* trouble(bed, troubled)
    const inbox = Effect.map(
      bed.sql<{ n: number }>`SELECT count(*)::int AS n FROM automation_inbox WHERE app_id = ${troubled.appId}`,
      ([row]) => (row!.n === 0 ? 1 : 0)
    )
    const ours: Measure = (seconds) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(going)
        const sample = yield* measure(seconds)
        yield* Fiber.interrupt(fiber)
        // The other side is measured without what is left of it.
        yield* bed.until("the trouble's end", inbox, 1, 100)
        return sample
      })
    return { ours, peer: measure }
  })

/** Two hundred events a second whose every run fails. */
const failing = (bed: Bed, app: AppOf) =>
  Effect.as(
    bed.automation(app.appId, {
      trigger: created,
      actions: [{ type: "exit", config: { exit_type: "failure" } }]
    }),
    Effect.forever(Effect.andThen(bed.records(app, 20, true), Effect.sleep("100 millis")))
  )

/** Two hundred runs that wait in a delay for as long as the row is measured. */
const waiting = Effect.fnUntraced(function* (bed: Bed, app: AppOf) {
  const id = yield* bed.automation(app.appId, {
    trigger: created,
    actions: [{ type: "delay", config: { delay_ms: 86_400_000 } }]
  })
  const waits = Effect.map(
    bed.sql<{ n: number }>`SELECT count(*)::int AS n FROM runs WHERE automation_id = ${id} AND wait_until IS NOT NULL`,
    ([row]) => row!.n
  )
  return Effect.gen(function* () {
    if ((yield* Effect.mapError(waits, ({ message }) => new BenchFailed({ message }))) > 0) return
    yield* bed.records(app, 200, true)
    yield* bed.until("200 runs wait", waits, 200, 100)
  })
})

const beside = (peer: string) => ({ peer, measure: "rate", unit: "runs/s", more: true })
const seconds = (peer: string) => ({ peer, measure: "seconds", unit: "s", more: false })

export const automationRows: ReadonlyArray<Row> = [
  {
    name: "automation-runs",
    work: "one-step automation (updates a field), from the events to committed runs with their log",
    ...beside("graphile-worker"),
    aim: 0.7,
    prepare: Effect.gen(function* () {
      const { bed, ours } = yield* stamping
      const peer = yield* peerOf(bed, "jobs.js", "graphile")
      return { ours, peer: peer("stamp", eventsOf) }
    })
  },
  {
    name: "automation-runs-dbos",
    work: "the same beside a one-step DBOS workflow that updates the field",
    ...beside("DBOS"),
    aim: 2,
    prepare: Effect.gen(function* () {
      const { bed, ours } = yield* stamping
      const peer = yield* peerOf(bed, "jobs.js", "dbos")
      return { ours, peer: peer("dbos-stamp", eventsOf) }
    })
  },
  {
    name: "automation-non-matching",
    work: "events whose filter does not match; aimed at is also 2,000 a second",
    ...beside("graphile-worker"),
    unit: "events/s",
    aim: 0.7,
    prepare: nonMatching
  },
  {
    name: "automation-latency-awake",
    work: "event commit to the committed step while the actor is awake",
    peer: "graphile-worker",
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 10,
    absolute: true,
    prepare: latency(50, "jobs.js", "latency")
  },
  {
    name: "automation-latency-asleep",
    work: "the same while the actor sleeps, beside a bare signalWithStart to its activity's first line",
    peer: "Temporal",
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 1.5,
    prepare: latency(2_000, "temporal.js", "signal")
  },
  {
    name: "automation-beside-failing",
    work: "event to committed step beside an automation whose every run fails at 200 events/s, and without it",
    peer: "undisturbed",
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 2,
    prepare: undisturbed(failing)
  },
  {
    name: "automation-beside-waiting",
    work: "the same beside 200 runs of the organization that wait in delays",
    peer: "undisturbed",
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 2,
    prepare: undisturbed(waiting)
  },
  {
    name: "automation-loop",
    work: `for_loop over ${LOOP_ITEMS} items × 3 database steps; the peer a plain loop, one transaction a step`,
    ...seconds("pg"),
    aim: 2,
    prepare: loop("loop", "plain")
  },
  {
    name: "automation-loop-dbos",
    work: "the same beside the loop as DBOS steps",
    ...seconds("DBOS"),
    aim: 0.5,
    prepare: loop("dbos-loop", "dbos")
  },
  {
    name: "automation-light-steps",
    work: "40 light steps in sequence; the peer 40 Temporal activities",
    ...seconds("Temporal"),
    aim: 0.2,
    prepare: light("temporal.js", "light", "temporal")
  },
  {
    name: "automation-light-steps-dbos",
    work: "the same beside 40 DBOS steps",
    ...seconds("DBOS"),
    aim: 1,
    prepare: light("jobs.js", "dbos-light", "dbos")
  }
]
