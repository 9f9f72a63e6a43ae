// Automation as stored (developer-api.md 7.1).
import { Schema } from "effect"
import { jsonb } from "../../../platform/sql/columns.ts"
import { partOf, readStored, StoredParts } from "../input/storedDefinition.ts"
import type { PausedReason } from "../model/automationSwitch.ts"
import type { AnyTrigger, Definition } from "../model/Definition.ts"
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
  tags: Schema.Array(Schema.String),
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
  x.timezone, x.on_failure_automation_id, x.concurrency, x.debounce_ms, x.pause_after_failures, x.tags, x.paused, x.paused_reason, x.broken, x.broken_reason, x.activated_on, x.version, x.revision_id, x.trigger_type, x.trigger,
  x.filter, x.actions, x.format, x.inbound_sealed, x.created_on, x.updated_on`
