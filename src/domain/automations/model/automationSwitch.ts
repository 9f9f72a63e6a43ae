// Switches automations off and on (developer-api.md 7.2): the row, the command for schedules, due dates and actors, and the audit log. Call
// these in a transaction that has locked the automation's row.
import { Effect, Schema } from "effect"
import { nextEvent, Outbox } from "../../../engine/outbox/Outbox.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { makeAutomationAudit } from "./automationAudit.ts"
import { automationChanged } from "./automationChanged.ts"

/** Reason why the service has paused an automation; a person's pause has no reason. */
export const PausedReason = Schema.Struct({
  code: Schema.Literal("failures_in_a_row"),
  message: Schema.String,
  failures: Schema.Int,
  run_id: Schema.String.annotate({ description: "The run whose failure was the last" }),
  paused_at: Schema.String
}).annotate({ identifier: "AutomationPausedReason" })
export type PausedReason = typeof PausedReason.Type

interface SwitchedAutomation {
  readonly app_id: number
  readonly automation_id: number
  readonly name: string
  readonly org_id: number
  readonly paused: boolean
  readonly paused_reason: PausedReason | null
  readonly trigger_type: string | null
}

export const makeAutomationSwitch = Effect.gen(function* () {
  const sql = yield* Sql
  const outbox = yield* Outbox
  const audited = yield* makeAutomationAudit

  /** @param reason why the service pauses it; null: a person does, or its owner may no longer run it */
  const pause = Effect.fnUntraced(function* (row: SwitchedAutomation, now: Date, reason: PausedReason | null = null) {
    if (row.paused && row.paused_reason === null) return
    const storedReason = reason === null ? null : JSON.stringify(reason)
    yield* sql`
      UPDATE automations SET paused = true, paused_reason = ${storedReason}::jsonb, updated_on = ${now}
      WHERE automation_id = ${row.automation_id}`
    if (!row.paused) yield* outbox.append([automationChanged(row, "paused")])
    yield* audited("automation.paused", row, reason === null ? {} : { reason: reason.code })
  })

  const activate = Effect.fnUntraced(function* (row: SwitchedAutomation, now: Date) {
    yield* sql`
      UPDATE automations SET paused = false, paused_reason = NULL, broken = false, broken_reason = NULL, activated_on = ${now},
        updated_on = ${now}, events_from = ${nextEvent(sql)}
      WHERE automation_id = ${row.automation_id}`
    yield* sql`UPDATE automation_failing SET streak = 0 WHERE automation_id = ${row.automation_id} AND streak > 0`
    yield* outbox.append([automationChanged(row, "activated")])
    yield* audited("automation.activated", row)
  })

  return { pause, activate }
})
