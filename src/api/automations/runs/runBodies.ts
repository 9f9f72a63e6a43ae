// Schemas of requests that start runs and find them (developer-api.md 7.3, 7.8, 7.10, 7.11).
import { Schema } from "effect"
import { RetryBody } from "../../../domain/automations/requests/runRetries.ts"
import { waitReasons } from "../../../domain/automations/run/waiting.ts"
import { anything, line, list as listOf, map, sizes, text, token } from "../../../platform/bounds/sized.ts"
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

export const RunBody = Schema.Struct({
  record_id: Schema.optionalKey(Common.Id),
  webhook_payload: Schema.optionalKey(anything(sizes.payloadValues)),
  use_last_received_webhook_payload: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "AutomationRunCreate" })
export const SimulateBody = Schema.Struct({
  ...RunBody.fields,
  pinned: Schema.optionalKey(
    map(anything(sizes.payloadValues), sizes.arguments).annotate({
      description:
        "Answers of outside steps by their ids: { status, headers?, data? } of HTTP requests, values by variable label of scripts, {} of mails"
    })
  ),
  revision_id: Schema.optionalKey(
    token.annotate({ description: "Simulates this revision's definition instead of the present one" })
  )
})
export const StepTestBody = Schema.Struct({
  action_id: token,
  record_id: Schema.optionalKey(Common.Id),
  run_id: Schema.optionalKey(
    token.annotate({ description: "A run of the automation whose trigger data, variables and outputs the step finds" })
  ),
  real: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "The step takes effect, with the rights of who asks; otherwise it is dry" })
  )
})
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
const callMembers = {
  trigger_on_record_id: Common.Id,
  triggered_by_record_id: Schema.optionalKey(Common.Id),
  triggered_by_workflow_def_id: Schema.optionalKey(Common.Id),
  trigger_with_arguments: Schema.optionalKey(map(anything(sizes.payloadValues), sizes.arguments)),
  is_manual_run: Schema.optionalKey(Schema.Boolean),
  is_simulation: Schema.optionalKey(Schema.Boolean)
}
export const CallBody = Schema.Struct(callMembers).annotate({ identifier: "AutomationCall" })
export const WeblinkBody = Schema.Struct({
  trigger_workflow_def_id: Common.Id,
  ...callMembers,
  expiration_type: Schema.optionalKey(Schema.Literals(["NEVER", "ONE_DAY", "ONE_WEEK", "ONE_MONTH", "ONE_YEAR"])),
  expire_after_first_click: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "WeblinkCreate" })
export const Weblink = Schema.Struct({ trigger_token: Schema.String, trigger_client_url: Schema.String }).annotate({
  identifier: "Weblink",
  httpApiStatus: 201
})
export const RetrySelectBody = Schema.Struct({ ...filterMembers, ...RetryBody.fields }).annotate({
  identifier: "AutomationRunsRetry"
})
