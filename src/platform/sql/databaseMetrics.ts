// Pool and database figures for /metrics: the wait for a connection of a pool, measured on each collection, and our connections as the
// server sees them.
import { Effect, Layer, Schema } from "effect"
import { gauge, histogram } from "../metrics/instruments.ts"
import { observing } from "../metrics/observers.ts"
import { timed } from "../metrics/timed.ts"
import { useOf } from "./poolUse.ts"
import { rowOf, rowsOf } from "./rows.ts"
import { PgSql } from "./Sql.ts"

const most = gauge("db.client.connection.max")
const openConnections = gauge("db.client.connection.count")
const pending = gauge("db.client.connection.pending_requests")
const wait = histogram("db.client.connection.wait_time")
const connections = gauge("millrace.postgres.connections")
const oldest = gauge("millrace.postgres.transaction.age")
const size = gauge("millrace.postgres.size")

const Connections = Schema.Struct({
  application: Schema.String,
  state: Schema.String,
  count: Schema.Int,
  transaction_seconds: Schema.NullOr(Schema.Number)
})
const Size = Schema.Struct({ bytes: Schema.Number })

/** Metrics of the pool below, under its application's name. */
export const databaseMetrics = (pool: string, maxConnections: number) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* PgSql
      yield* observing(
        `the pool ${pool}`,
        Effect.suspend(() => {
          most.set(maxConnections, pool)
          const { open, waiting } = useOf(sql) ?? { open: 0, waiting: 0 }
          openConnections.set(open, pool, "used")
          pending.set(waiting, pool)
          return Effect.scoped(sql.reserve).pipe(timed((seconds) => wait.observe(seconds, pool)))
        }).pipe(Effect.asVoid)
      )
      yield* observing(
        "the database",
        Effect.gen(function* () {
          const connectionRows = yield* rowsOf(Connections)(sql`
            SELECT application_name AS application, count(*) AS count,
              CASE WHEN wait_event_type = 'Lock' THEN 'waiting_for_lock' ELSE replace(coalesce(state, 'unknown'), ' ', '_') END AS state,
              extract(epoch FROM max(clock_timestamp() - xact_start))::float8 AS transaction_seconds
            FROM pg_stat_activity
            WHERE datname = current_database() AND usename = current_user AND application_name LIKE 'millrace-%'
            GROUP BY 1, 3`)
          connections.clear()
          for (const { application, count, state } of connectionRows) connections.set(count, application, state)
          oldest.set(Math.max(0, ...connectionRows.map(({ transaction_seconds: seconds }) => seconds ?? 0)))
          const sizeRow = yield* rowOf(Size)(sql`SELECT pg_database_size(current_database())::float8 AS bytes`)
          size.set(sizeRow?.bytes ?? 0)
        })
      )
    })
  )
