// Summaries of automations: the outcomes of their newest runs (developer-api.md 7.11). One statement uses the index of an automation's
// runs, so that its cost does not depend on their number.
import { Context, Effect, Layer, Schema } from "effect"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { idListOf } from "../../../platform/sql/idList.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { makeReachableApps } from "../../accounts/reachableApps.ts"
import { RunStatus } from "../run/RunRow.ts"

/** Number of newest runs per automation that count, simulations included. */
const RUNS_SUMMED = 100

export interface RunSummary {
  readonly automation_id: number
  /** Runs among the newest 100, without simulations. */
  readonly runs: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly open: number
  /** Absent if there is none. */
  readonly last_run?: {
    readonly id: string
    readonly status: RunStatus
    readonly created_at: string
    readonly error_message: string | null
  }
}

const SummaryRow = Schema.Struct({
  automation_id: Schema.Int,
  runs: Schema.Int,
  completed: Schema.Int,
  failed: Schema.Int,
  cancelled: Schema.Int,
  open: Schema.Int,
  last_run_id: Schema.NullOr(Schema.String),
  last_status: Schema.NullOr(RunStatus),
  last_created_on: Schema.NullOr(Schema.Date),
  last_error: Schema.NullOr(Schema.String)
})

export class RunSummaries extends Context.Service<
  RunSummaries,
  {
    /** Returns summaries of those of the automations that the caller may see. */
    readonly of: (caller: CallerShape, automationIds: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<RunSummary>>
  }
>()("millrace/automations/requests/RunSummaries") {
  static readonly layer = Layer.effect(
    RunSummaries,
    Effect.gen(function* () {
      const sql = yield* Sql
      const administered = makeReachableApps(sql)
      const idList = idListOf(sql)

      const summarize = Effect.fn("RunSummaries.of")(function* (
        caller: CallerShape,
        automationIds: ReadonlyArray<number>
      ) {
        const apps = (yield* administered(caller, 5)).map(({ app_id }) => app_id)
        const count = (status: string) => sql`count(*) FILTER (WHERE status = ${status})::int`
        const rows = yield* rowsOf(SummaryRow)(sql`
          SELECT x.automation_id, s.*, r.status AS last_status, r.created_on AS last_created_on, r.error_message AS last_error
          FROM automations x CROSS JOIN LATERAL (
            SELECT count(*)::int AS runs, ${count("completed")} AS completed, ${count("failed")} AS failed,
              ${count("cancelled")} AS cancelled, count(*) FILTER (WHERE status IN ('pending', 'running'))::int AS open,
              max(run_id)::text AS last_run_id
            FROM (SELECT run_id, status, type FROM runs WHERE automation_id = x.automation_id
              ORDER BY run_id DESC LIMIT ${RUNS_SUMMED}::int) newest
            WHERE type <> 'simulation') s
          LEFT JOIN runs r ON r.run_id = s.last_run_id::bigint
          WHERE x.automation_id = ${idList(automationIds)} AND x.app_id = ${idList(apps)} AND x.deleted_on IS NULL
          ORDER BY x.automation_id`)
        return rows.map(
          ({ last_created_on, last_error, last_run_id, last_status, ...counts }): RunSummary => ({
            ...counts,
            ...(last_run_id === null || last_status === null || last_created_on === null
              ? {}
              : {
                  last_run: {
                    id: last_run_id,
                    status: last_status,
                    created_at: formatDateTime(last_created_on),
                    error_message: last_error
                  }
                })
          })
        )
      }, orSqlDefect)
      return RunSummaries.of({ of: summarize })
    })
  )
}
