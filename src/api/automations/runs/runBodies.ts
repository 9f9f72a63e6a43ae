// Schemas of requests that find runs (developer-api.md 7.11).
import { Schema } from "effect"
import { RetryBody } from "../../../domain/automations/requests/runRetries.ts"
import { waitReasons } from "../../../domain/automations/run/waitReasons.ts"
import { line, list as listOf, text, token } from "../../../platform/bounds/sized.ts"
import * as Common from "../../../platform/primitives/commonSchemas.ts"
import { Int, NullInt, Status, WaitReason } from "./runAnswers.ts"

const limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 }))
const pageMembers = { cursor: Schema.optionalKey(line), limit: Schema.optionalKey(limit) }
const ids = Schema.optionalKey(Schema.Array(Common.Id).check(Schema.isMaxLength(100)))
const runId = token.check(Schema.isPattern(/^\d{1,18}$/))
const runIds = Schema.optionalKey(listOf(runId, 100))
const filterMembers = {
  app_ids: ids,
  automation_ids: ids,
  workspace_ids: ids,
  status: Schema.optionalKey(Status),
  created_at_from: Schema.optionalKey(token),
  created_at_to: Schema.optionalKey(token),
  run_ids: Schema.optionalKey(listOf(runId, 500).annotate({ description: "These runs alone" })),
  record_ids: ids,
  caused_by_run_ids: runIds,
  chain_run_ids: runIds,
  retry_of_run_ids: runIds,
  error_contains: Schema.optionalKey(
    text(1_000)
      .check(Schema.isMinLength(1))
      .annotate({ description: "A part of the error message; case does not count" })
  ),
  waiting: Schema.optionalKey(listOf(WaitReason, waitReasons.length))
}
export const ListBody = Schema.Struct({ ...pageMembers, ...filterMembers }).annotate({
  identifier: "AutomationRunSearch"
})
export type ListBody = typeof ListBody.Type
/** The filters of the listing; none of them: all runs that the caller may see. */
export const SelectBody = Schema.Struct(filterMembers).annotate({ identifier: "AutomationRunSelection" })
export type SelectBody = typeof SelectBody.Type
export const PageBody = Schema.Struct(pageMembers).annotate({ identifier: "PageRequest" })

const Written = Schema.Struct({
  status: Schema.String,
  record_id: NullInt,
  inputs: Schema.Record(Schema.String, Schema.Unknown),
  messages: Schema.Array(Schema.String)
}).annotate({ identifier: "AutomationRunOutcome" })
export const RunDifference = Schema.Struct({
  kind: Schema.Literals(["added", "removed", "changed"]),
  action_id: Schema.String,
  execution: Int,
  label: Schema.String,
  before: Schema.optionalKey(Written),
  after: Schema.optionalKey(Written)
}).annotate({ identifier: "AutomationRunDifference" })
export const RetrySelectBody = Schema.Struct({ ...filterMembers, ...RetryBody.fields }).annotate({
  identifier: "AutomationRunsRetry"
})
