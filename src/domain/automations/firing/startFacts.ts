// Queries of the start of a run's workflow: facts from the run's row, and the marks that the start leaves in it.
import { Clock, Effect, Schema } from "effect"
import { rowOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { NO_CREDITS_MILLIS } from "../run/Credits.ts"
import { summaryColumn } from "../run/runSummary.ts"
import { waitsForCredits } from "../run/waitReasons.ts"

/** Facts about a run that its workflow shows beside its identity. */
const KnownOfRun = Schema.Struct({
  summary: Schema.String,
  filtering_on: Schema.NullOr(Schema.Date),
  /** Fence of a pending run, before its workflow starts; 0: the run has begun, and an earlier start may have made the workflow. */
  fence: Schema.Int
})
export type KnownOfRun = typeof KnownOfRun.Type

export const startFacts = (sql: Sql) => {
  /** Marks the workflow as started. Returns true if the run has ended. */
  const started = Effect.fnUntraced(function* (runId: string) {
    const startedOn = new Date(yield* Clock.currentTimeMillis)
    const endedRuns = yield* sql`
      WITH run AS (UPDATE runs SET workflow_started_on = ${startedOn} WHERE run_id = ${runId}::bigint RETURNING completed_on)
      SELECT 1 FROM run WHERE completed_on IS NOT NULL`
    return endedRuns.length > 0
  })

  const knownOf = (runId: string) =>
    Effect.map(
      rowOf(KnownOfRun)(sql`
        SELECT ${summaryColumn(sql)}, r.filtering_on, CASE r.status WHEN 'pending' THEN r.fence ELSE 0 END AS fence
        FROM runs r JOIN automations a USING (automation_id) WHERE r.run_id = ${runId}::bigint`),
      (known): KnownOfRun => known ?? { summary: "", filtering_on: null, fence: 0 }
    )

  /** Lets the run wait for credits. Returns false if a workflow executes it, or it waits for something else. */
  const noCredits = Effect.fnUntraced(function* (runId: string) {
    const now = yield* Clock.currentTimeMillis
    const creditsWait = waitsForCredits(sql, { now: new Date(now), until: new Date(now + NO_CREDITS_MILLIS) })
    const waitingRuns = yield* sql`
      UPDATE runs SET ${creditsWait} WHERE run_id = ${runId}::bigint AND completed_on IS NULL
        AND (status = 'pending' AND credits = 0 AND executed_ms = 0 OR wait_why = 'delay') RETURNING run_id`
    return waitingRuns.length > 0
  })

  return { knownOf, noCredits, started }
}
