// Times of last use, gathered in memory and written in batches, so that a request that passes writes nothing.
import { Context, Duration, Effect, Layer, Schedule } from "effect"
import { Sql } from "../../platform/sql/Sql.ts"

const columns = {
  api_credentials: { table: "api_credentials", id: "credential_id", column: "last_used_on" },
  connections: { table: "connections", id: "connection_id", column: "last_used_on" }
} as const

export type Used = keyof typeof columns

export class LastUsed extends Context.Service<
  LastUsed,
  {
    readonly touch: (what: Used, id: number, atMillis: number) => void
    /** Writes the collected times; runs every ten seconds and at shutdown. */
    readonly flush: Effect.Effect<void>
  }
>()("millrace/accounts/LastUsed") {
  static readonly layer = Layer.effect(
    LastUsed,
    Effect.gen(function* () {
      const sql = yield* Sql
      const pending = new Map<Used, Map<number, number>>()
      const touch = (what: Used, id: number, atMillis: number) => {
        const pendingTimes = pending.get(what)
        if (pendingTimes === undefined) pending.set(what, new Map([[id, atMillis]]))
        else pendingTimes.set(id, atMillis)
      }
      const write = Effect.fnUntraced(function* (what: Used, times: Map<number, number>) {
        const { table, id, column } = columns[what]
        // Locked in one order: other processes write times of the same rows.
        const ids = [...times.keys()].map(String)
        const seconds = [...times.values()].map((ms) => new Date(ms).toISOString())
        yield* sql`
          WITH held AS MATERIALIZED (
            SELECT t.${sql(id)} AS id, v.at FROM ${sql(table)} t
            JOIN unnest(${ids}::text[]::bigint[], ${seconds}::text[]::timestamptz[]) AS v(id, at) ON t.${sql(id)} = v.id
            ORDER BY t.${sql(id)} FOR NO KEY UPDATE OF t
          )
          UPDATE ${sql(table)} t SET ${sql(column)} = greatest(t.${sql(column)}, held.at) FROM held WHERE t.${sql(id)} = held.id`
      })
      const flush = Effect.suspend(() => {
        const batch = [...pending]
        pending.clear()
        return Effect.forEach(batch, ([what, times]) => write(what, times), { discard: true })
      }).pipe(Effect.catchCause((cause) => Effect.logWarning("times of last use were not written", cause)))
      yield* Effect.forkScoped(Effect.repeat(flush, Schedule.spaced(Duration.seconds(10))))
      yield* Effect.addFinalizer(() => flush)
      return LastUsed.of({ touch, flush })
    })
  )
}
