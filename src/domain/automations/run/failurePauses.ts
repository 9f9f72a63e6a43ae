// Pauses an automation whose regular runs fail in a row (developer-api.md 7.13 `pause_after_failures`), with a notice for its owner. Only
// automations with the setting are counted: a failed run of any other writes nothing here.
import { Effect, Schema } from "effect"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { makeAutomationSwitch } from "../model/automationSwitch.ts"
import { RunAddress } from "./runWorkflowId.ts"

const FailingAutomation = Schema.Struct({
  ...RunAddress.fields,
  name: Schema.String,
  trigger_type: Schema.NullOr(Schema.String),
  streak: Schema.Int,
  cause: Schema.String
})

export const makeFailurePauses = Effect.gen(function* () {
  const sql = yield* Sql
  const { pause } = yield* makeAutomationSwitch

  /** Counts the failed runs, and pauses the automations that have reached their limit; call it after the rows of `automation_failing`. */
  return Effect.fnUntraced(function* (runIds: ReadonlyArray<string>, now: Date) {
    const reached = yield* rowsOf(FailingAutomation)(sql`
      WITH ended AS (
        SELECT automation_id, count(*)::int AS failures, max(run_id) AS run_id FROM runs
        WHERE run_id = ANY(${runIds}::text[]::bigint[]) AND type = 'regular' GROUP BY automation_id
      ), counted AS (
        SELECT x.automation_id, x.app_id, x.org_id, x.name, x.trigger_type, x.pause_after_failures, e.failures, e.run_id
        FROM ended e JOIN automations x USING (automation_id)
        WHERE x.pause_after_failures IS NOT NULL AND NOT x.paused AND x.deleted_on IS NULL
        ORDER BY x.automation_id FOR NO KEY UPDATE OF x
      ), streaks AS (
        UPDATE automation_failing f SET streak = f.streak + c.failures FROM counted c
        WHERE f.automation_id = c.automation_id RETURNING f.automation_id, f.streak
      )
      SELECT c.automation_id, c.app_id, c.org_id, c.name, c.trigger_type, s.streak, c.run_id::text,
        coalesce(r.error_message, 'The run failed.') AS cause
      FROM counted c JOIN streaks s USING (automation_id) JOIN runs r ON r.run_id = c.run_id
      WHERE s.streak >= c.pause_after_failures ORDER BY c.automation_id`)
    for (const { cause, run_id, streak, ...automation } of reached) {
      const reason = {
        code: "failures_in_a_row" as const,
        message:
          streak === 1 ? `A run failed with: ${cause}` : `${streak} runs failed in a row, the last one with: ${cause}`,
        failures: streak,
        run_id,
        paused_at: formatDateTime(now)
      }
      yield* pause({ ...automation, paused: false, paused_reason: null }, now, reason)
      yield* sql`
        INSERT INTO automation_notices (automation_id, org_id, kind, cause, run_id, created_on)
        VALUES (${automation.automation_id}, ${automation.org_id}, 'paused', ${reason.message}, ${run_id}::bigint, ${now})`
    }
  })
})
