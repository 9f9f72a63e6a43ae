// Relay and actor figures for /metrics and /health, read from Postgres on demand.
import { Clock, Effect, Schema } from "effect"
import { gauge } from "../../platform/metrics/instruments.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"

const Backlog = Schema.Struct({ oldest: Schema.NullOr(Schema.Date), open: Schema.Int, aside: Schema.Int })

const StateCount = Schema.Struct({ state: Schema.Literals(["asleep", "called", "awake"]), count: Schema.Int })

/** Relay lag in seconds, by the oldest event; 0 without one. */
export const relayLag = (oldest: Date | null, now: number): number =>
  oldest === null ? 0 : Math.max(0, (now - oldest.getTime()) / 1000)

export const gauges = Effect.gen(function* () {
  const sql = yield* Sql
  const nowMillis = yield* Clock.currentTimeMillis
  const outbox = yield* rowOf(Backlog)(sql`
    SELECT min(created_on) FILTER (WHERE set_aside IS NULL) AS oldest,
      count(*) FILTER (WHERE set_aside IS NULL) AS open, count(*) FILTER (WHERE set_aside IS NOT NULL) AS aside
    FROM outbox`)
  const states = yield* rowsOf(StateCount)(sql`
    SELECT state, count(*) AS count FROM actors GROUP BY state`)
  return {
    /** Age of the oldest event that has not been fanned out. */
    relayLagSeconds: relayLag(outbox?.oldest ?? null, nowMillis),
    outboxOpen: outbox?.open ?? 0,
    /** Events that could not be fanned out. */
    outboxSetAside: outbox?.aside ?? 0,
    actors: { asleep: 0, called: 0, awake: 0, ...Object.fromEntries(states.map(({ state, count }) => [state, count])) }
  }
})

const size = gauge("millrace.backlog.size")
const age = gauge("millrace.backlog.age")
const aside = gauge("millrace.outbox.set_aside")
const actors = gauge("millrace.actors")

/** Brings the metrics up to date. */
export const observeGauges = Effect.map(gauges, (now) => {
  size.set(now.outboxOpen, "outbox")
  age.set(now.relayLagSeconds, "outbox")
  aside.set(now.outboxSetAside)
  for (const [state, count] of Object.entries(now.actors)) actors.set(count, state)
})
