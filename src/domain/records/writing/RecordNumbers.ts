// Numbers of records, 1, 2, 3 … per app (developer-api.md 4.1), drawn over separate connections before the write: an app's counter is
// locked for a moment, never until a caller's transaction is on the disk. A write that is rolled back leaves its number unused. Only a
// caller that creates records without concurrency draws in the statement that creates them (./batchedCreation.ts).
import { Context, Effect, Layer, Schema } from "effect"
import { directAddressOf } from "../../../platform/sql/directAddress.ts"
import { layerPool } from "../../../platform/sql/Pool.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { PgSql, Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"

const CONNECTIONS = 2
/** Lock time-out of a draw. A counter that is locked for longer, as while its app is deleted, is awaited in the write's own transaction. */
const LOCK_MILLIS = 100

const Drawn = Schema.Struct({ base: Schema.Int })

export class RecordNumbers extends Context.Service<
  RecordNumbers,
  {
    /** The number before the first of `count`; null: there is no such app. */
    readonly draw: (appId: number, count: number) => Effect.Effect<number | null>
  }
>()("millrace/records/RecordNumbers") {
  static readonly layer = Layer.effect(
    RecordNumbers,
    Effect.gen(function* () {
      const sql = yield* Sql
      // Connects directly: a write that holds a connection waits for these, and through a pooler they would queue behind it.
      const url = directAddressOf(yield* PgSql)
      const pool = layerPool({ url, maxConnections: CONNECTIONS, applicationName: "millrace-numbers" })
      const numbersSql = Context.get(yield* Layer.build(pool), Sql)

      const count = (client: Sql, appId: number, n: number) => client`
        UPDATE app_counters SET last_app_record_id = last_app_record_id + ${n}::int WHERE app_id = ${appId}
        RETURNING last_app_record_id - ${n}::int AS base`
      // Commits without waiting for the disk: Postgres writes its log in order, so the counter reaches the disk before the record.
      const briefly = (appId: number, n: number) => numbersSql`
        WITH brief AS MATERIALIZED (
          SELECT set_config('lock_timeout', ${String(LOCK_MILLIS)}, true) AS lock, set_config('synchronous_commit', 'off', true) AS flush
        )
        UPDATE app_counters SET last_app_record_id = last_app_record_id + ${n}::int
        FROM brief WHERE app_id = ${appId} AND brief.lock <> brief.flush
        RETURNING last_app_record_id - ${n}::int AS base`

      const draw = Effect.fnUntraced(function* (appId: number, n: number) {
        const drawn = yield* Effect.orElseSucceed(rowOf(Drawn)(briefly(appId, n)), () => undefined)
        // Its app may be of this very transaction.
        const row = drawn ?? (yield* rowOf(Drawn)(count(sql, appId, n)))
        return row?.base ?? null
      }, orSqlDefect)

      return RecordNumbers.of({ draw })
    })
  )
}
