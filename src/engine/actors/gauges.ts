// What /metrics and /health tell about relay and actors; read from Postgres when asked.
import { Clock, Effect, Metric, Schema } from "effect"
import { observePlaces } from "../../ground/fairness/shown.ts"
import { rowOf, rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { rowsSetAside } from "./poison.ts"

export interface Gauges {
  /** Age of the oldest event that has not been fanned out; 0 without one. */
  readonly relayLagSeconds: number
  readonly outboxOpen: number
  /** Events that could not be fanned out. */
  readonly outboxSetAside: number
  readonly actors: { readonly asleep: number; readonly called: number; readonly awake: number }
}

const Backlog = Schema.Struct({ oldest: Schema.NullOr(Schema.Date), open: Schema.Int, aside: Schema.Int })

const StateCount = Schema.Struct({ state: Schema.Literals(["asleep", "called", "awake"]), count: Schema.Int })

export const gauges = Effect.gen(function* () {
  const sql = yield* Sql
  const now = yield* Clock.currentTimeMillis
  const outbox = yield* rowOf(Backlog)(sql`
    SELECT min(created_on) FILTER (WHERE set_aside IS NULL) AS oldest,
      count(*) FILTER (WHERE set_aside IS NULL) AS open, count(*) FILTER (WHERE set_aside IS NOT NULL) AS aside
    FROM outbox`)
  const states = yield* rowsOf(StateCount)(sql`
    SELECT state, count(*) AS count FROM actors GROUP BY state`)
  const oldest = outbox?.oldest ?? null
  return {
    relayLagSeconds: oldest === null ? 0 : Math.max(0, (now - oldest.getTime()) / 1000),
    outboxOpen: outbox?.open ?? 0,
    outboxSetAside: outbox?.aside ?? 0,
    actors: { asleep: 0, called: 0, awake: 0, ...Object.fromEntries(states.map(({ state, count }) => [state, count])) }
  } satisfies Gauges
})

const lag = Metric.gauge("millrace_relay_lag_seconds", {
  description: "Age of the oldest event that has not been fanned out"
})
const open = Metric.gauge("millrace_outbox_open", { description: "Events waiting for the relay" })
const aside = Metric.gauge("millrace_outbox_set_aside", { description: "Events that could not be fanned out" })
const actors = Metric.gauge("millrace_actors", { description: "Actors by state" })
const rows = Metric.gauge("millrace_rows_set_aside", { description: "Mailbox rows set aside by this process" })

/** Brings the metrics up to date. */
export const observeGauges = Effect.gen(function* () {
  yield* observePlaces
  const now = yield* gauges
  yield* Metric.update(lag, now.relayLagSeconds)
  yield* Metric.update(open, now.outboxOpen)
  yield* Metric.update(aside, now.outboxSetAside)
  yield* Metric.update(rows, rowsSetAside())
  for (const [state, count] of Object.entries(now.actors)) {
    yield* Metric.update(Metric.withAttributes(actors, { state }), count)
  }
})
