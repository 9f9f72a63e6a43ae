// Tracks which automations have failing runs. The owner gets one mail when the runs begin to fail, and the next one only after a run has
// succeeded; hooks receive each failure. Simulations and cancelled runs do not count. While no run of an automation fails, the end of a run
// writes nothing here. An automation may be paused after some failures in a row (failurePauses.ts).
import { Clock, Effect, Schema } from "effect"
import { trouble } from "../../../engine/outbox/Event.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { type FailedRun, makeFailureCalls } from "./failureCalls.ts"
import { makeFailurePauses } from "./failurePauses.ts"
import { RunAddress } from "./runWorkflowId.ts"

const FailedRow = Schema.Struct({
  ...RunAddress.fields,
  reason: Schema.String,
  /** True if it counts for `pause_after_failures`. */
  counted: Schema.Boolean
})

export const makeFailureStreaks = Effect.gen(function* () {
  const sql = yield* Sql
  const outbox = yield* Outbox
  const pauseFailing = yield* makeFailurePauses
  const callForFailures = makeFailureCalls(sql, outbox)
  return {
    /**
     * Marks the automations of failed runs, adds notices for owners, and calls the automations that handle failures; call it in the
     * transaction in which the runs have ended as failed.
     */
    begin: Effect.fnUntraced(function* (failedRuns: ReadonlyArray<FailedRun>) {
      if (failedRuns.length === 0) return
      const runIds = failedRuns.map(({ run_id }) => run_id)
      const nowDate = new Date(yield* Clock.currentTimeMillis)
      yield* sql`
      WITH ended AS (
        SELECT DISTINCT ON (automation_id) automation_id, org_id, run_id, error_message FROM runs
        WHERE run_id = ANY(${runIds}::text[]::bigint[]) AND type <> 'simulation' ORDER BY automation_id, run_id
      ), begun AS (
        INSERT INTO automation_failing AS f (automation_id, failing)
        SELECT automation_id, true FROM ended e WHERE NOT EXISTS (
          SELECT 1 FROM automation_failing known WHERE known.automation_id = e.automation_id AND known.failing)
        ORDER BY automation_id
        ON CONFLICT (automation_id) DO UPDATE SET failing = true WHERE NOT f.failing
        RETURNING automation_id
      )
      INSERT INTO automation_notices (automation_id, org_id, kind, cause, run_id, created_on)
      SELECT automation_id, org_id, 'failing', coalesce(error_message, 'The run failed.'), run_id, ${nowDate}
      FROM begun JOIN ended USING (automation_id)`
      const failed = yield* rowsOf(FailedRow)(sql`
      SELECT r.run_id::text, r.automation_id, r.app_id, r.org_id, coalesce(r.failure_reason, 'actions_failed') AS reason,
        r.type = 'regular' AND x.pause_after_failures IS NOT NULL AS counted
      FROM runs r LEFT JOIN automations x USING (automation_id)
      WHERE r.run_id = ANY(${runIds}::text[]::bigint[]) AND r.type <> 'simulation' ORDER BY r.run_id`)
      if (failed.some(({ counted }) => counted)) yield* pauseFailing(runIds, nowDate)
      yield* outbox.append(
        failed.map(({ app_id, counted: _, org_id, ...payload }) =>
          trouble({ app_id, org_id }, { type: "automation.run_failed", payload })
        )
      )
      yield* callForFailures(failedRuns)
    }),
    /** Part of the statement that ends runs: clears the mark of automations with a successful run (`fenced.well`). */
    over: sql`
    UPDATE automation_failing SET failing = false, streak = 0
    WHERE failing AND automation_id IN (SELECT automation_id FROM fenced WHERE well)`
  }
})
