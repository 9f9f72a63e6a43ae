// Automation as stored, and as the API shows it (developer-api.md 7.1, 7.2).
import { Schema } from "effect"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { partOf, readStored, StoredParts } from "../input/stored.ts"
import type { PausedReason } from "../model/automationSwitch.ts"
import type { AnyTrigger, Definition } from "../model/Definition.ts"
import type { RefusedSenders } from "../model/refusedSenders.ts"
import type { Concurrency } from "../schema/RunSettings.ts"
import type { BrokenReason } from "../schema/ValidationModel.ts"

const Facts = Schema.Struct({
  automation_id: Schema.Int,
  org_id: Schema.Int,
  app_id: Schema.Int,
  workspace_id: Schema.Int,
  owner_id: Schema.Int,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  timezone: Schema.String,
  on_failure_automation_id: Schema.NullOr(Schema.Int),
  concurrency: Schema.NullOr(jsonb<Concurrency>()),
  debounce_ms: Schema.NullOr(Schema.Int),
  pause_after_failures: Schema.NullOr(Schema.Int),
  paused: Schema.Boolean,
  paused_reason: Schema.NullOr(jsonb<PausedReason>()),
  broken: Schema.Boolean,
  broken_reason: Schema.NullOr(jsonb<{ readonly errors: ReadonlyArray<BrokenReason> }>()),
  activated_on: Schema.NullOr(Schema.Date),
  version: Schema.Int,
  revision_id: Schema.Int,
  trigger_type: Schema.NullOr(Schema.String),
  inbound_sealed: Schema.NullOr(Schema.Uint8Array),
  created_on: Schema.Date,
  updated_on: Schema.Date
})
type Facts = typeof Facts.Type
export const StoredAutomation = Schema.Struct({ ...Facts.fields, ...StoredParts.fields })
export type StoredAutomation = typeof StoredAutomation.Type

export interface AutomationRow extends Facts, Omit<Definition, "on_failure_automation_id"> {
  /** Errors for stored parts that cannot be read any more: these are missing in the definition, and the automation is broken. */
  readonly unreadable: ReadonlyArray<BrokenReason>
  readonly stored: StoredParts
}

/** Reads a stored row, whatever release has written it. */
export const readRow = ({ actions, filter, format, trigger, ...facts }: StoredAutomation): AutomationRow => {
  const storedDefinition = { actions, filter, format, trigger }
  const { definition, unreadable } = readStored(storedDefinition)
  const broken = unreadable.length > 0
  return {
    ...facts,
    ...definition,
    broken: facts.broken || broken,
    broken_reason: facts.broken_reason ?? (broken ? { errors: unreadable } : null),
    unreadable,
    stored: storedDefinition
  }
}

/** Returns the parts for display: a part that cannot be read any more is shown as it is stored. */
export const shownParts = ({ definition, unreadable }: ReturnType<typeof readStored>, stored: StoredParts) => {
  const lost = (part: ReturnType<typeof partOf>) => unreadable.some(({ code }) => partOf(code) === part)
  return {
    trigger: lost("trigger") ? (stored.trigger as AnyTrigger) : definition.trigger,
    filter: lost("filter") ? stored.filter : definition.filter,
    actions: lost("actions") && Array.isArray(stored.actions) ? stored.actions : definition.actions
  }
}

/** Columns of `StoredAutomation` from `automations x JOIN apps a USING (app_id)`. */
export const automationColumns = `x.automation_id, x.org_id, x.app_id, a.workspace_id, x.owner_id, x.name, x.description,
  x.timezone, x.on_failure_automation_id, x.concurrency, x.debounce_ms, x.pause_after_failures, x.paused, x.paused_reason, x.broken, x.broken_reason, x.activated_on, x.version, x.revision_id, x.trigger_type, x.trigger,
  x.filter, x.actions, x.format, x.inbound_sealed, x.created_on, x.updated_on`

export const statuses = ["draft", "active", "paused", "broken"] as const
export type Status = (typeof statuses)[number]

export const statusOf = (row: Pick<AutomationRow, "paused" | "broken" | "activated_on">): Status =>
  row.broken ? "broken" : !row.paused ? "active" : row.activated_on === null ? "draft" : "paused"

/** SQL conditions on `automations x` for each status. */
export const statusCondition: Record<Status, string> = {
  broken: "x.broken",
  active: "NOT x.broken AND NOT x.paused",
  draft: "NOT x.broken AND x.paused AND x.activated_on IS NULL",
  paused: "NOT x.broken AND x.paused AND x.activated_on IS NOT NULL"
}

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
  pause_after_failures
}: Pick<Facts, "concurrency" | "debounce_ms" | "pause_after_failures">) => ({
  ...(concurrency === null ? {} : { concurrency }),
  ...(debounce_ms === null ? {} : { debounce_ms }),
  ...(pause_after_failures === null ? {} : { pause_after_failures })
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
