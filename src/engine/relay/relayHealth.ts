// Who works the outbox, and how far behind: for /health/ready.
import { Effect, Schema } from "effect"
import { RELAY_LOCK } from "../../ground/sql/advisoryLocks.ts"
import { rowOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { gauges } from "../actors/gauges.ts"

const LATE_SECONDS = 60

const Holder = Schema.Struct({
  application_name: Schema.NullOr(Schema.String),
  pid: Schema.Int,
  client: Schema.NullOr(Schema.String),
  seconds: Schema.NullOr(Schema.Int)
})

/** A batch holds the lock for the time of its transaction; one that is stuck holds it for long. Of several, the one that began first. */
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
  const { outboxOpen, relayLagSeconds } = yield* gauges
  const by = yield* holder
  const worked =
    by === undefined
      ? outboxOpen > 0 && relayLagSeconds > LATE_SECONDS
        ? "; nobody works it"
        : ""
      : `; worked by ${by.application_name ?? "somebody"} (${by.client ?? "local"}, pid ${by.pid}) for ${by.seconds ?? 0} s`
  return {
    ok: relayLagSeconds < LATE_SECONDS,
    detail: `lag ${relayLagSeconds.toFixed(1)} s, ${outboxOpen} events open${worked}`
  }
}).pipe(
  Effect.timeout("2 seconds"),
  Effect.match({ onFailure: () => ({ ok: false, detail: "its lag is not known" }), onSuccess: (health) => health })
)
