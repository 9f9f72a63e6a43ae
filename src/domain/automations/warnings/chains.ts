// Effects of an automation's steps that may start other automations (developer-api.md 7.5 rule 4, 7.8, 7.13 `warnings`): calls, and changes
// of records. Pure; definitions/automationCycles.ts follows them through the automations that the caller may see.
import { actionSpec } from "../actions/registry.ts"
import type { AnyTrigger, Definition } from "../model/Definition.ts"
import { isPlainObject } from "../schema/walk.ts"
import type { TriggerType } from "../triggers/registry.ts"
import { liveActions } from "./warningPlaces.ts"

/** Effect of a step that may start other automations. `app_id` is absent if the fields determine the app. */
export interface ChainedStart {
  readonly action_id: string
  readonly trigger: TriggerType
  readonly automation_id?: number
  readonly app_id?: number
  readonly field_ids?: ReadonlyArray<number>
}

/** Triggers that the change of each type of step fires. */
const fires: Readonly<Record<string, TriggerType>> = {
  record_create: "record_created",
  current_record_update: "record_updated",
  collected_records_update: "record_updated",
  referenced_records_update: "record_updated",
  current_record_delete: "record_deleted",
  current_record_comment_create: "record_comment_or_reply_created",
  current_record_comment_or_reply_reply_create: "record_comment_or_reply_created",
  collected_records_comment_create: "record_comment_or_reply_created"
}

const collectedApp = (config: Record<string, unknown>): number | undefined => {
  const collection = config["record_collection"]
  return isPlainObject(collection) ? (collection["app_id"] as number | undefined) : undefined
}

export function* startsOf({ actions }: Pick<Definition, "actions">, ownAppId: number): Iterable<ChainedStart> {
  for (const { config, id: action_id, type } of liveActions(actions)) {
    if (actionSpec(type).calls === "automation_called") {
      const automation_id = config["automation_id"] as number | undefined
      if (automation_id !== undefined) yield { action_id, trigger: "automation_called", automation_id }
      continue
    }
    const trigger = fires[type]
    if (trigger === undefined || config["trigger_other_flows"] !== true) continue
    if (trigger === "record_updated") {
      const assigned = (config["field_assignments"] ?? []) as ReadonlyArray<{ variable_def: { field_id: number } }>
      const field_ids = assigned.map(({ variable_def }) => variable_def.field_id)
      if (field_ids.length > 0) yield { action_id, trigger, field_ids }
      continue
    }
    const named = type === "record_create" ? (config["app_id"] as number | undefined) : collectedApp(config)
    const app_id = type.startsWith("current_record_") ? ownAppId : named
    if (app_id !== undefined) yield { action_id, trigger, app_id }
  }
}

/** True if a trigger of `record_updated` listens to one of the fields. */
export const listensTo = (trigger: AnyTrigger | null, fieldIds: ReadonlyArray<number>): boolean => {
  if (trigger?.type !== "record_updated") return false
  const only = trigger.config.trigger_on_changes_field_ids
  return only === null || only.some((id) => fieldIds.includes(id))
}
