// Queries of the start of a run's workflow: facts from the run's row, and the marks that the start leaves in it.
import { Clock, Effect, Schema } from "effect"
import { rowOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { NO_CREDITS_MILLIS } from "../run/Credits.ts"
import { summaryColumn } from "../run/runSummary.ts"
import { waitsForCredits } from "../run/waitReasons.ts"

/** Facts about a run that its workflow shows beside its identity. */
const KnownOfRun = Schema.Struct({ summary: Schema.String, filtering_on: Schema.NullOr(Schema.Date) })
export type KnownOfRun = typeof KnownOfRun.Type

const StartedOver = Schema.Struct({ over: Schema.Boolean })

export const startFacts = (sql: Sql) => {
  /** Marks the workflow as started. Returns true if the run has ended. */
  const started = (runId: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.map(
        rowOf(StartedOver)(sql`UPDATE runs SET workflow_started_on = ${new Date(now)}
          WHERE run_id = ${runId}::bigint RETURNING completed_on IS NOT NULL AS over`),
        (row) => row?.over === true
      )
    )

  const knownOf = (runId: string) =>
    Effect.map(
      rowOf(
        KnownOfRun
      )(sql`SELECT ${summaryColumn(sql)}, r.filtering_on FROM runs r JOIN automations a USING (automation_id)
        WHERE r.run_id = ${runId}::bigint`),
      (known): KnownOfRun => known ?? { summary: "", filtering_on: null }
    )

  const noCredits = (runId: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const creditsWait = waitsForCredits(sql, { now: new Date(now), until: new Date(now + NO_CREDITS_MILLIS) })
      return sql`UPDATE runs SET ${creditsWait} WHERE run_id = ${runId}::bigint AND completed_on IS NULL`
    })

  return { knownOf, noCredits, started }
}
