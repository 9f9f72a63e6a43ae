// Who waits for a lock, so that a test goes on when two have met.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { layerOn, urlOf } from "../../../support/database.ts"

/** Backends that wait for a lock of another, asked for on a connection that does not wait behind them. */
export const waiting = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const [database] = yield* sql<{ name: string }>`SELECT current_database() AS name`
    const url = urlOf(inject("databaseUrl"), database!.name)
    const other = layerOn(url, 1)
    const count = yield* Layer.build(other)
    return Effect.map(
      Context.get(count, SqlClient.SqlClient)<{ n: number }>`
        SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
      ([row]) => row!.n
    )
  })
