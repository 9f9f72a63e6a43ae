// Holders of the relay's locks, and the relay's lag, for /health/ready.
import { Clock, Effect, Schema } from "effect"
import { RELAY_LOCK } from "../../platform/sql/advisoryLocks.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { relayLag } from "../actors/gauges.ts"

const LATE_SECONDS = 60

const Holder = Schema.Struct({
  application_name: Schema.NullOr(Schema.String),
  pid: Schema.Int,
  client: Schema.NullOr(Schema.String),
  seconds: Schema.NullOr(Schema.Int)
})

/** Most events that are counted: an exact number is of no use, and callers may ask often. */
const COUNTED = 10_000

const Backlog = Schema.Struct({ oldest: Schema.NullOr(Schema.Date), open: Schema.Int })

const backlog = Effect.flatMap(Sql, (sql) =>
  rowOf(Backlog)(sql`
    SELECT (SELECT created_on FROM outbox WHERE set_aside IS NULL ORDER BY event_id LIMIT 1) AS oldest,
      (SELECT count(*)::int FROM (SELECT 1 FROM outbox WHERE set_aside IS NULL LIMIT ${COUNTED + 1}) o) AS open`)
)

/**
 * Process that holds a shard's lock; of several, the one that began first. A batch holds the lock for the time of its transaction, a stuck
 * one for long.
 */
const holder = Effect.flatMap(Sql, (sql) =>
  rowOf(Holder)(sql`
    SELECT a.application_name, a.pid, host(a.client_addr) AS client,
      round(extract(epoch FROM clock_timestamp() - a.xact_start))::int AS seconds
    FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = ${RELAY_LOCK}::int::oid
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ORDER BY a.xact_start LIMIT 1`)
)

export const relayHealth = Effect.gen(function* () {
  const { oldest, open } = (yield* backlog)!
  const lagSeconds = relayLag(oldest, yield* Clock.currentTimeMillis)
  const by = yield* holder
  const worked =
    by === undefined
      ? open > 0 && lagSeconds > LATE_SECONDS
        ? "; nobody works it"
        : ""
      : `; worked by ${by.application_name ?? "somebody"} (${by.client ?? "local"}, pid ${by.pid}) for ${by.seconds ?? 0} s`
  return {
    ok: lagSeconds < LATE_SECONDS,
    detail: `lag ${lagSeconds.toFixed(1)} s, ${open > COUNTED ? `more than ${COUNTED}` : open} events open${worked}`
  }
}).pipe(
  Effect.timeout("2 seconds"),
  Effect.match({ onFailure: () => ({ ok: false, detail: "its lag is not known" }), onSuccess: (health) => health })
)
