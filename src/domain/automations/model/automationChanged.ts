// Command that a change of an automation's state appends to the outbox; schedules, due dates and actors execute it.
import type { NewEvent } from "../../../engine/outbox/Event.ts"
import { command } from "../../../engine/outbox/Event.ts"

export const AUTOMATION_CHANGED = "command.automation.changed"

/**
 * Kinds of changes. `updated` and `broken` are sent for automations that were active, `updated` with new run settings for any. `deleted` is
 * always sent: open runs are cancelled.
 */
export type AutomationChange = "activated" | "paused" | "updated" | "broken" | "deleted"

export interface AutomationChanged {
  readonly automation_id: number
  readonly change: AutomationChange
  /** Trigger type after the change. */
  readonly trigger_type: string | null
}

export const automationChanged = (
  automation: {
    readonly org_id: number
    readonly app_id: number
    readonly automation_id: number
    readonly trigger_type: string | null
  },
  change: AutomationChange
): NewEvent =>
  command(automation, AUTOMATION_CHANGED, {
    automation_id: automation.automation_id,
    change,
    trigger_type: automation.trigger_type
  } satisfies AutomationChanged as unknown as Record<string, unknown>)
