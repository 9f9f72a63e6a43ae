// Ends runs and deletes mailbox rows of automations that were deleted for good, with their app (developer-api.md 3.1 app delete, 7.2
// delete): none of them may wait forever. The runs end as cancelled and are deleted after their retention time.
import { Clock, Effect, Schema } from "effect"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { countEndsAfterCommit, EndedRun } from "./runMetrics.ts"

const OrphanedRun = Schema.Struct({
  run_id: Schema.String,
  automation_id: Schema.Int,
  org_id: Schema.Int,
  durable: Schema.Boolean,
  ...EndedRun.fields
})

export const makeEndOrphanedRuns = (sql: Sql) => {
  const hasNoAutomation = (table: string) =>
    sql.literal(`NOT EXISTS (SELECT 1 FROM automations a WHERE a.automation_id = ${table}.automation_id)`)

  /** Returns the runs that were open. @param automationId all deleted automations if absent */
  return Effect.fnUntraced(function* (automationId?: number) {
    const ofAutomation =
      automationId === undefined ? sql.literal("true") : sql`automation_id = ${String(automationId)}::bigint`
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    yield* sql`DELETE FROM automation_inbox WHERE ${ofAutomation} AND automation_id <> 0 AND ${hasNoAutomation("automation_inbox")}`
    const cancelledRuns = yield* rowsOf(OrphanedRun)(sql`
      UPDATE runs SET status = 'cancelled', completed_on = ${nowDate}, fence = fence + 1, place_wanted_on = NULL
      WHERE ${ofAutomation} AND completed_on IS NULL AND ${hasNoAutomation("runs")}
      RETURNING run_id::text, automation_id, org_id, durable, type, created_on`)
    yield* countEndsAfterCommit(sql, "cancelled", cancelledRuns, nowDate)
    return cancelledRuns
  })
}
