// Automations and their revisions as the API shows them (developer-api.md 7.1, 7.2).
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import type { PausedReason } from "../model/automationSwitch.ts"
import type { AnyTrigger } from "../model/Definition.ts"
import type { RefusedSenders } from "../model/refusedSenders.ts"
import type { Concurrency } from "../schema/RunSettings.ts"
import { type Status, statusOf } from "./automationStatus.ts"
import { type AutomationRow, shownParts } from "./StoredAutomation.ts"

export interface AutomationView {
  readonly id: number
  readonly app_id: number
  readonly workspace_id: number
  readonly name: string
  readonly description?: string
  readonly status: Status
  readonly paused: boolean
  /** Absent unless the service has paused it. */
  readonly paused_reason?: PausedReason
  readonly broken: boolean
  readonly broken_reason: AutomationRow["broken_reason"]
  readonly version: number
  readonly timezone: string
  readonly on_failure_automation_id?: number
  readonly concurrency?: Concurrency
  readonly debounce_ms?: number
  readonly pause_after_failures?: number
  /** Absent when there are none. */
  readonly tags?: ReadonlyArray<string>
  readonly owner_id: number
  readonly trigger: unknown
  readonly filter: unknown
  readonly actions: ReadonlyArray<unknown>
  readonly created_at: string
  readonly updated_at: string
  /** Senders refused lately, of a single automation with an inbound address; absent if none was refused lately. */
  readonly refused_senders?: RefusedSenders
}

/** @param webhookUrl the inbound address, shown in the config of `webhook_received` */
export const viewOf = (row: AutomationRow, webhookUrl: string | undefined): AutomationView => {
  const parts = shownParts({ definition: row, unreadable: row.unreadable }, row.stored)
  return {
    id: row.automation_id,
    app_id: row.app_id,
    workspace_id: row.workspace_id,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    status: statusOf(row),
    paused: row.paused,
    ...(row.paused_reason === null ? {} : { paused_reason: row.paused_reason }),
    broken: row.broken,
    broken_reason: row.broken_reason,
    version: row.version,
    timezone: row.timezone,
    ...(row.on_failure_automation_id === null ? {} : { on_failure_automation_id: row.on_failure_automation_id }),
    ...settingsOf(row),
    owner_id: row.owner_id,
    trigger: triggerView(parts.trigger, webhookUrl),
    filter: parts.filter,
    actions: parts.actions,
    created_at: formatDateTime(row.created_on),
    updated_at: formatDateTime(row.updated_on)
  }
}

/** Absent when unset. */
export const settingsOf = ({
  concurrency,
  debounce_ms,
  pause_after_failures,
  tags
}: Pick<AutomationRow, "concurrency" | "debounce_ms" | "pause_after_failures" | "tags">) => ({
  ...(concurrency === null ? {} : { concurrency }),
  ...(debounce_ms === null ? {} : { debounce_ms }),
  ...(pause_after_failures === null ? {} : { pause_after_failures }),
  ...(tags.length === 0 ? {} : { tags })
})

const triggerView = (trigger: AnyTrigger | null, webhookUrl: string | undefined): unknown =>
  trigger?.type === "webhook_received" && webhookUrl !== undefined
    ? { type: trigger.type, config: { webhook_url: webhookUrl, ...trigger.config } }
    : trigger

/** Revision as `GET …/revision` shows it; roll back by `PUT` of name, trigger, filter and actions. */
export interface RevisionView {
  readonly id: string
  readonly automation_id: number
  readonly version: number
  readonly created_at: string
  /** User who saved it; absent if that user was deleted. */
  readonly author?: { readonly user_id: number; readonly name: string }
  readonly name: string
  readonly paused: boolean
  readonly broken: boolean
  readonly trigger: AnyTrigger | null
  readonly filter: unknown
  readonly actions: ReadonlyArray<unknown>
}
