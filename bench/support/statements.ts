// Reports the statements that the database executed during a measurement, with `--statements`: planning and execution separately.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerOn } from "../../test/support/database.ts"
import { looked } from "./looked.ts"

const countsStatements = () => looked.statements

export const statementsSettings = (): Record<string, string> =>
  countsStatements()
    ? {
        shared_preload_libraries: "pg_stat_statements",
        "pg_stat_statements.track": "all",
        "pg_stat_statements.track_planning": "on"
      }
    : {}

interface Statement {
  readonly calls: number
  readonly plan: number
  readonly exec: number
  readonly total: number
  readonly query: string
}

/** Reports when the scope closes, before the machine ends. */
export const tellStatements = (databaseUrl: string) =>
  !countsStatements()
    ? Effect.void
    : Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`
      }).pipe(
        Effect.provide(layerOn(databaseUrl, 1)),
        Effect.andThen(
          Effect.addFinalizer(() =>
            Effect.gen(function* () {
              const sql = yield* SqlClient.SqlClient
              const rows = yield* sql<Statement>`
                SELECT calls::int AS calls, (total_plan_time / greatest(calls, 1))::float8 AS plan, mean_exec_time::float8 AS exec,
                  (total_plan_time + total_exec_time)::float8 AS total, left(regexp_replace(query, '[[:space:]]+', ' ', 'g'), 150) AS query
                FROM pg_stat_statements ORDER BY total_plan_time + total_exec_time DESC LIMIT 30`
              for (const { calls, exec, plan, query, total } of rows)
                process.stderr.write(
                  `${total.toFixed(0).padStart(7)} ms ${String(calls).padStart(7)} x plan ${plan.toFixed(3)} exec ${exec.toFixed(3)}  ${query}\n`
                )
            }).pipe(Effect.provide(layerOn(databaseUrl, 1)), Effect.ignore)
          )
        ),
        Effect.orDie
      )
