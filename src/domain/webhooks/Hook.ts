// The hook record exactly as service.md 2.6 shows it, and the row behind it.
import { Schema } from "effect"

/** Changes of an app's content (service.md 6). */
export const changeTypes = [
  "record.create",
  "record.update",
  "record.delete",
  "record.restore",
  "comment.create",
  "comment.delete",
  "app.update"
] as const
/** Operational failures in an app, for its admins: sent in addition to the mails that they get. */
const operationTypes = ["hook.failing", "hook.inactive", "automation.broken", "automation.run_failed"] as const
/** The types a hook may be created for; `hook.verify` is sent, never chosen. */
export const hookTypes = [...changeTypes, ...operationTypes] as const
export const HookType = Schema.Literals(hookTypes).annotate({ identifier: "HookType" })
export type HookType = typeof HookType.Type

export const HookStatus = Schema.Literals(["inactive", "active"]).annotate({ identifier: "HookStatus" })
export type HookStatus = typeof HookStatus.Type

const hook_id = Schema.Int
const members = {
  status: HookStatus,
  num_failed_executions: Schema.Int,
  type: HookType,
  url: Schema.String
}

/** Hook as the verify-request, validate and delete responses show it. */
export const HookRecord = Schema.Struct({ hook_id, ...members }).annotate({ identifier: "Hook" })
export type HookRecord = typeof HookRecord.Type

/** Hook as create and the list show it. */
export const HookListItem = Schema.Struct({ hook_id, app_id: Schema.Int, ...members }).annotate({
  identifier: "HookOfApp"
})
export type HookListItem = typeof HookListItem.Type
export const hookColumns = Object.keys(HookListItem.fields).join(", ")

export const recordOf = ({ hook_id, status, num_failed_executions, type, url }: HookListItem): HookRecord => ({
  hook_id,
  status,
  num_failed_executions,
  type,
  url
})

/** Limit of developer-api.md 9. */
export const MAX_HOOKS_PER_APP = 50
