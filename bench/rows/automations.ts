// Rows of automations: the whole service with Temporal against graphile-worker, DBOS and bare Temporal, which do the same work by
// hand on the same Postgres (peers/jobs.js, peers/temporal.js). Events are put into the outbox as a write leaves them there.
import { Clock, Effect } from "effect"
import { type AppOf, type Bed, created, makeBed, setText, update } from "../support/bed.ts"
import { latencyOf, timedCommits, warmed } from "../support/latency.ts"
import { BETWEEN_SIGNALS, BETWEEN_WARMING, bareSignal, called, over, peerOf } from "../support/measures.ts"
import type { Measure, Row } from "../support/Row.ts"

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

const timed = <E>(work: Effect.Effect<void, E>) =>
  Effect.gen(function* () {
    const startMillis = yield* Clock.currentTimeMillis
    yield* work
    return ((yield* Clock.currentTimeMillis) - startMillis) / 1000
  })

/** Number of events in a measurement of `seconds`. */
const eventsOf = (seconds: number) => Math.max(50, Math.round(seconds * 100))

interface Stamped {
  readonly app: AppOf
  readonly automationId: number
}

/** Events of new records until each has become a finished run. */
const runsOf = (bed: Bed, stamped: ReadonlyArray<Stamped>): Measure => {
  let goal = 0
  return (seconds) =>
    Effect.gen(function* () {
      const each = Math.ceil(eventsOf(seconds) / stamped.length)
      goal += each
      const createRecords = Effect.forEach(stamped, ({ app }) => bed.records(app, each, true))
      const awaitRuns = Effect.forEach(stamped, ({ automationId }) =>
        bed.until("runs", over(bed, automationId), goal, 20)
      )
      const elapsedSeconds = yield* timed(Effect.andThen(createRecords, awaitRuns))
      return { rate: (each * stamped.length) / elapsedSeconds }
    })
}

const stampingIn = Effect.fnUntraced(function* (apps: number) {
  const bed = yield* makeBed("bench-automations")
  const stamped: Array<Stamped> = []
  for (let i = 0; i < apps; i++) {
    const app = yield* bed.app(`Stamped ${i}`)
    const automationId = yield* bed.automation(app.appId, { trigger: created, actions: [update(app, "stamped")] })
    stamped.push({ app, automationId })
  }
  return { bed, ours: runsOf(bed, stamped) }
})

const besideGraphile = Effect.fnUntraced(function* (apps: number) {
  const { bed, ours } = yield* stampingIn(apps)
  const peer = (yield* peerOf(bed, "jobs.js", "graphile"))("stamp", eventsOf)
  return { warm: warmed(ours, peer), ours, peer }
})

/** Together they could execute more runs at once than an organization may. */
const APPS = 10

const nonMatching = Effect.gen(function* () {
  const bed = yield* makeBed("bench-filters")
  const app = yield* bed.app("Filtered")
  yield* bed.automation(app.appId, { trigger: created, filter: neverOf(app), actions: [update(app, "never")] })
  const handledEvents = Effect.map(
    bed.sql<{
      n: number
    }>`SELECT (SELECT count(*) FROM outbox)::int + (SELECT count(*) FROM automation_inbox)::int AS n`,
    ([row]) => (row!.n === 0 ? 1 : 0)
  )
  const ours: Measure = (seconds) =>
    Effect.gen(function* () {
      const count = eventsOf(seconds) * 5
      const elapsedSeconds = yield* timed(
        Effect.andThen(bed.records(app, count, true), bed.until("events", handledEvents, 1, 20))
      )
      return { rate: count / elapsedSeconds }
    })
  const peer = yield* peerOf(bed, "jobs.js", "graphile")
  return { ours, peer: peer("look", (seconds) => eventsOf(seconds)) }
})

const latency = (lingerMillis?: number) =>
  Effect.gen(function* () {
    const env = lingerMillis === undefined ? {} : { ACTOR_TUNING: JSON.stringify({ lingerMillis }) }
    const bed = yield* makeBed("bench-latency", { env, settings: timedCommits })
    const app = yield* bed.app("Awaited")
    const id = yield* bed.automation(app.appId, { trigger: created, actions: [update(app, "stamped")] })
    return { bed, ours: (pauseMillis: number) => latencyOf(bed, app, id, pauseMillis) }
  })

/** Between two events of an actor that is awake, in milliseconds. */
const BETWEEN_EVENTS = 50

const LOOP_ITEMS = 1_000

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

const rates = (peer: string) => ({ peer, measure: "rate", unit: "runs/s", more: true })
const seconds = (peer: string) => ({ peer, measure: "seconds", unit: "s", more: false })

export const automationRows: ReadonlyArray<Row> = [
  {
    name: "automation-runs",
    work: "one-step automation (updates a field), from the events to committed runs with their log",
    ...rates("graphile-worker"),
    aim: 1.3,
    prepare: besideGraphile(1)
  },
  {
    name: "automation-runs-apps",
    work: `the same, spread over ${APPS} apps of the organization`,
    ...rates("graphile-worker"),
    aim: 1.3,
    prepare: besideGraphile(APPS)
  },
  {
    name: "automation-runs-dbos",
    work: "the same beside a one-step DBOS workflow that updates the field",
    ...rates("DBOS"),
    aim: 3,
    prepare: Effect.gen(function* () {
      const { bed, ours } = yield* stampingIn(1)
      const peer = (yield* peerOf(bed, "jobs.js", "dbos"))("dbos-stamp", eventsOf)
      return { warm: warmed(ours, peer), ours, peer }
    })
  },
  {
    name: "automation-non-matching",
    work: "events whose filter does not match; aimed at is also 2,000 a second",
    ...rates("graphile-worker"),
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
    aim: 9,
    absolute: true,
    prepare: Effect.gen(function* () {
      const { bed, ours } = yield* latency()
      const peer = yield* peerOf(bed, "jobs.js", "graphile")
      const jobs = (perSecond: number, pause: number) => peer("latency", (seconds) => seconds * perSecond, pause)
      return {
        warm: warmed(ours(0), jobs(100, 0)),
        ours: ours(BETWEEN_EVENTS),
        peer: jobs(10, BETWEEN_EVENTS)
      }
    })
  },
  {
    name: "automation-latency-asleep",
    work: "the same while the actor sleeps, beside a bare signalWithStart to its activity's first line",
    peer: "Temporal",
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 1.4,
    prepare: Effect.gen(function* () {
      // An actor that does not linger sleeps between two events.
      const { bed, ours } = yield* latency(1)
      const bare = yield* bareSignal(bed.machine)
      return {
        warm: warmed(ours(BETWEEN_WARMING), bare(BETWEEN_WARMING)),
        ours: ours(BETWEEN_SIGNALS),
        peer: bare(BETWEEN_SIGNALS)
      }
    })
  },
  {
    name: "automation-loop",
    work: `for_loop over ${LOOP_ITEMS} items × 3 database steps; the peer a plain loop, one transaction a step`,
    ...seconds("pg"),
    aim: 0.8,
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
    aim: 0.7,
    prepare: light("jobs.js", "dbos-light", "dbos")
  }
]
