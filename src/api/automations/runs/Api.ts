// Runs over HTTP: asking for one (developer-api.md 7.3, 7.8, 7.10) and what became of it (7.11).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Views from "../../../domain/accounts/accountSchemas.ts"
import { itemStates } from "../../../domain/automations/requests/loopStanding.ts"
import { waitReasons } from "../../../domain/automations/run/waiting.ts"
import { anything, line, list as listOf, map, sizes, text, token } from "../../../ground/bounds/sized.ts"
import { DevApi } from "../../door/DevApi.ts"
import { requires } from "../../door/Requires.ts"
import { room, told } from "../../door/told.ts"
import { fails } from "../../door/wire.ts"

const Int = Schema.Int
const NullInt = Schema.NullOr(Schema.Int)
const NullString = Schema.NullOr(Schema.String)
const statuses = ["pending", "running", "completed", "failed", "cancelled"] as const

const Status = Schema.Literals(statuses).annotate({ identifier: "AutomationRunStatus" })
const RunType = Schema.Literals(["regular", "manual", "simulation"]).annotate({ identifier: "AutomationRunType" })
const WaitReason = Schema.Literals(waitReasons).annotate({ identifier: "AutomationWaitReason" })

/** The step that an open run stands at. */
const step = {
  action_id: NullString,
  label: NullString,
  iteration: Schema.Array(Int).annotate({ description: "0-based, of each enclosing loop, the outermost first" })
}
const Waiting = Schema.Struct({
  since: Schema.String,
  until: NullString,
  why: WaitReason,
  ...step
}).annotate({ identifier: "AutomationRunWaiting", description: "Why an open run waits, and the step it goes on with" })

const runMembers = {
  id: Schema.String,
  automation_id: Int,
  automation_name: Schema.String,
  automation_revision_id: Schema.String,
  app_id: Int,
  app_name: Schema.String,
  workspace_id: Int,
  status: Status,
  type: RunType,
  created_at: Schema.String,
  filtering_at: NullString,
  started_at: NullString,
  completed_at: NullString,
  execution_duration_ms: Int,
  waiting_duration_ms: Int,
  num_consumed_actions: Int,
  failure_reason: NullString,
  error_message: NullString,
  triggered_on_record_id: NullInt,
  triggered_on_record_revision_id: NullInt,
  triggered_by_automation_id: NullInt,
  retry_of_run_id: NullString,
  waiting: Schema.NullOr(Waiting),
  caused_by_run_id: Schema.optionalKey(Schema.String),
  chain_run_id: Schema.optionalKey(
    Schema.String.annotate({ description: "The run that the chain began with; absent where there is no chain" })
  ),
  child_run_ids: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Runs that this one has caused, at most the first 100" })
  )
}
const Run = Schema.Struct(runMembers).annotate({ identifier: "AutomationRun" })
const LogStatus = Schema.Literals(["in_progress", "success", "failure", "skipped", "cancelled"]).annotate({
  identifier: "AutomationRunLogStatus"
})
const Log = Schema.Struct({
  id: Schema.String,
  type: Schema.Literals(["trigger", "filter", "action", "exception"]),
  status: LogStatus,
  label: Schema.String,
  messages: Schema.Array(Schema.Struct({ message: Schema.String, level: NullString })),
  action_id: NullString,
  record_id: NullInt,
  iteration: Schema.optionalKey(
    Schema.Array(Int).annotate({
      description: "Of a step in loops, the 0-based item of each, the outermost first; absent outside of loops"
    })
  ),
  logged_at: Schema.String,
  detail: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
}).annotate({ identifier: "AutomationRunLog" })
const RunWithLogs = Schema.Struct({
  ...runMembers,
  present_step: Schema.optionalKey(Schema.Struct({ ...step, attempts: Int })),
  temporal_url: Schema.optionalKey(
    Schema.String.annotate({
      description: "Where the web interface of Temporal shows its workflow; absent where it has none, or none is set up"
    })
  ),
  logs: Schema.Array(Log)
}).annotate({
  identifier: "AutomationRunWithLogs"
})

const LogPage = Schema.Struct({ total: Int, cursor: NullString, logs: Schema.Array(Log) }).annotate({
  identifier: "AutomationRunLogPage"
})
const ItemStatus = Schema.Literals(itemStates).annotate({
  identifier: "AutomationRunLoopItemStatus",
  description: "`skipped`: no step was taken for it; `pending`: not reached"
})
const loopMembers = {
  action_id: Schema.String,
  label: Schema.String,
  size: Int.annotate({ description: "How many items it has" }),
  items: Schema.Struct({
    failure: Int,
    in_progress: Int,
    cancelled: Int,
    success: Int,
    skipped: Int,
    pending: Int
  }).annotate({ identifier: "AutomationRunLoopCounts", description: "How many of them stand so" })
}
const Loop = Schema.Struct(loopMembers).annotate({ identifier: "AutomationRunLoop" })
const LoopItem = Schema.Struct({
  item: Int.annotate({ description: "0-based" }),
  status: ItemStatus,
  record_id: Schema.optionalKey(Int),
  record_title: Schema.optionalKey(
    Schema.String.annotate({ description: "Absent where the caller does not administer its app" })
  ),
  error_message: Schema.optionalKey(Schema.String),
  started_at: Schema.optionalKey(Schema.String),
  completed_at: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "AutomationRunLoopItem" })
const LoopItems = Schema.Struct({
  ...loopMembers,
  shown: Schema.Array(LoopItem).annotate({ description: "Those that failed first, then those under way" })
}).annotate({ identifier: "AutomationRunLoopItems" })
const Summary = Schema.Struct({
  automation_id: Int,
  runs: Int.annotate({ description: "Those among its newest 100 that are no simulations" }),
  completed: Int,
  failed: Int,
  cancelled: Int,
  open: Int,
  last_run: Schema.optionalKey(
    Schema.Struct({ id: Schema.String, status: Status, created_at: Schema.String, error_message: NullString })
  )
}).annotate({ identifier: "AutomationRunSummary" })

const One = Schema.Struct({ automation_run: Run }).annotate({ identifier: "AutomationRunAnswer" })
const Page = Schema.Struct({ total: Int, cursor: NullString, automation_runs: Schema.Array(Run) }).annotate({
  identifier: "AutomationRunPage"
})
const Message = Schema.Struct({ message: Schema.String }).annotate({
  identifier: "AutomationRunAccepted",
  httpApiStatus: 202
})
const Nothing = Schema.Struct({}).annotate({ httpApiStatus: 202 })

const limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 }))
const pageMembers = { cursor: Schema.optionalKey(line), limit: Schema.optionalKey(limit) }
const ids = Schema.optionalKey(Schema.Array(Views.Id).check(Schema.isMaxLength(100)))
const runIds = Schema.optionalKey(listOf(token.check(Schema.isPattern(/^\d{1,18}$/)), 100))
export const ListBody = Schema.Struct({
  ...pageMembers,
  app_ids: ids,
  automation_ids: ids,
  workspace_ids: ids,
  status: Schema.optionalKey(Status),
  created_at_from: Schema.optionalKey(token),
  created_at_to: Schema.optionalKey(token),
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
}).annotate({ identifier: "AutomationRunSearch" })
export type ListBody = typeof ListBody.Type
const PageBody = Schema.Struct(pageMembers).annotate({ identifier: "PageRequest" })

const RunBody = Schema.Struct({
  record_id: Schema.optionalKey(Views.Id),
  webhook_payload: Schema.optionalKey(anything(sizes.payloadValues)),
  use_last_received_webhook_payload: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "AutomationRunCreate" })
const SimulateBody = Schema.Struct({
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
const StepTestBody = Schema.Struct({
  action_id: token,
  record_id: Schema.optionalKey(Views.Id),
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
const RunDifference = Schema.Struct({
  kind: Schema.Literals(["added", "removed", "changed"]),
  action_id: Schema.String,
  execution: Int,
  label: Schema.String,
  before: Schema.optionalKey(Written),
  after: Schema.optionalKey(Written)
}).annotate({ identifier: "AutomationRunDifference" })
const callMembers = {
  trigger_on_record_id: Views.Id,
  triggered_by_record_id: Schema.optionalKey(Views.Id),
  triggered_by_workflow_def_id: Schema.optionalKey(Views.Id),
  trigger_with_arguments: Schema.optionalKey(map(anything(sizes.payloadValues), sizes.arguments)),
  is_manual_run: Schema.optionalKey(Schema.Boolean),
  is_simulation: Schema.optionalKey(Schema.Boolean)
}
const CallBody = Schema.Struct(callMembers).annotate({ identifier: "AutomationCall" })
const WeblinkBody = Schema.Struct({
  trigger_workflow_def_id: Views.Id,
  ...callMembers,
  expiration_type: Schema.optionalKey(Schema.Literals(["NEVER", "ONE_DAY", "ONE_WEEK", "ONE_MONTH", "ONE_YEAR"])),
  expire_after_first_click: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "WeblinkCreate" })
const Weblink = Schema.Struct({ trigger_token: Schema.String, trigger_client_url: Schema.String }).annotate({
  identifier: "Weblink",
  httpApiStatus: 201
})
const RetryBody = Schema.Struct({
  from: Schema.optionalKey(Schema.Literals(["start", "failed_step"])),
  definition: Schema.optionalKey(Schema.Literals(["current", "original"]))
})

const automation_id = { automation_id: Views.Id }
const of = { kind: "automation", level: 5, hide: true } as const
const scope = "automations:run" as const
const list = { scope: "automations:read", cost: 2, unguarded: "filtered" } as const
const run_id = { run_id: Schema.String }
const upTo = (maximum: number, minimum = 1) =>
  Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum }))
/** Items of loops, ten of them one in another at most. */
const iteration = Schema.String.check(Schema.isPattern(/^\d{1,4}(?:\.\d{1,4}){0,9}$/))
const place = {
  loop: Schema.optionalKey(
    Schema.String.annotate({ description: "The `action_id` of a loop: what stands directly inside of it" })
  ),
  iteration: Schema.optionalKey(
    iteration.annotate({ description: "The 0-based items of that loop and those around it: `17`, `3.17`" })
  )
}
const oneRun = { scope: "automations:read", unguarded: "behind another id" } as const
const within = <const N extends string, const P extends `/${string}`>(
  name: N,
  path: P,
  summary: string,
  description: string
) =>
  HttpApiEndpoint.post(name, path, {
    params: { id: Views.Id },
    payload: PageBody,
    success: Page,
    error: fails("ValidationError", "NotFound")
  }).pipe(requires(list), told(summary, description))
const call = <const N extends string, const P extends `/${string}`>(
  name: N,
  path: P,
  summary: string,
  description: string
) =>
  // Problems with what the body names are a 400 here, not a 404: the service checks them (7.8).
  HttpApiEndpoint.post(name, path, {
    params: automation_id,
    payload: CallBody,
    success: Nothing,
    error: fails("ValidationError")
  }).pipe(requires({ scope, unguarded: "named in the body" }), told(summary, description))
const weblink = <const N extends string, const P extends `/${string}`>(
  name: N,
  path: P,
  summary: string,
  description: string
) =>
  HttpApiEndpoint.post(name, path, {
    payload: WeblinkBody,
    success: Weblink,
    error: fails("ValidationError")
  }).pipe(requires({ scope, unguarded: "named in the body" }), told(summary, description))

export class RunsApi extends HttpApiGroup.make("automationRuns")
  .add(
    HttpApiEndpoint.post("manualRun", "/v1/automation/:automation_id/manual-run", {
      params: automation_id,
      payload: RunBody,
      success: Message,
      error: fails("ValidationError", "NotFound", "RecordNotFound", "Conflict")
    }).pipe(
      requires({ scope, guard: of }),
      told("Run an automation", "Starts a run by hand, on a record or with a webhook payload.")
    ),
    HttpApiEndpoint.post("simulate", "/v1/automation/:automation_id/simulate", {
      params: automation_id,
      payload: SimulateBody,
      success: Message,
      error: fails("ValidationError", "NotFound", "RecordNotFound", "Conflict")
    }).pipe(
      requires({ scope, guard: of }),
      told(
        "Simulate an automation",
        "Runs it without any effect and answers what it would do; `pinned` gives answers of outside steps."
      )
    ),
    HttpApiEndpoint.post("testStep", "/v1/automation/:automation_id/test-step", {
      params: automation_id,
      payload: StepTestBody,
      success: Message,
      error: fails("ValidationError", "NotFound", "RecordNotFound", "Conflict")
    }).pipe(
      requires({ scope, guard: of }),
      told("Test a step", "Runs one step, dry unless `real` is true, with what an earlier run left.")
    ),
    call(
      "call",
      "/v1/automation/:automation_id/trigger",
      "Call an automation",
      "Starts a run of an automation with the trigger *called*, on a record, with arguments."
    ),
    call(
      "callDeprecated",
      "/v1/workflow/:automation_id/trigger",
      "Call an automation (old path)",
      "The same as `/v1/automation/{automation_id}/trigger`."
    ),
    weblink(
      "weblink",
      "/v1/automation/weblink/generate",
      "Make a weblink",
      "A link that starts the automation for whoever opens it, until it expires."
    ),
    weblink(
      "weblinkDeprecated",
      "/v1/workflow/weblink/generate",
      "Make a weblink (old path)",
      "The same as `/v1/automation/weblink/generate`."
    ),
    HttpApiEndpoint.post("list", "/v1/automation-run", {
      payload: ListBody,
      success: Page,
      error: fails("ValidationError", "NotFound")
    }).pipe(
      requires(list),
      told(
        "List runs",
        "Runs of all automations that the caller may see, newest first, by status, time, record, cause and error."
      )
    ),
    HttpApiEndpoint.post("summary", "/v1/automation-run/summary", {
      payload: Schema.Struct({ automation_ids: Schema.Array(Views.Id).check(Schema.isMaxLength(100)) }),
      success: Schema.Struct({ summaries: Schema.Array(Summary) }),
      error: fails("ValidationError")
    }).pipe(
      requires(list),
      told("Sum up runs of automations", "What has become of the newest 100 runs of each, and of the last one.")
    ),
    within("listApp", "/v1/automation-run/app/:id", "List runs of an app", "Newest first, in pages."),
    within("listWorkspace", "/v1/automation-run/workspace/:id", "List runs of a workspace", "Newest first, in pages."),
    within(
      "listAutomation",
      "/v1/automation-run/automation/:id",
      "List runs of an automation",
      "Newest first, in pages."
    ),
    HttpApiEndpoint.get("get", "/v1/automation-run/:run_id", {
      params: run_id,
      query: {
        log_limit: Schema.optionalKey(upTo(10_000, 0))
      },
      success: Schema.Struct({ automation_run: RunWithLogs }),
      error: fails("ValidationError", "InvalidRequestUrl", "NotFound")
    }).pipe(requires(oneRun), told("Get a run", "One run with its log, step by step, and why it waits.")),
    HttpApiEndpoint.get("log", "/v1/automation-run/:run_id/log", {
      params: run_id,
      query: {
        limit: Schema.optionalKey(upTo(500)),
        cursor: Schema.optionalKey(Schema.String),
        status: Schema.optionalKey(LogStatus),
        outside_loops: Schema.optionalKey(
          Schema.Literals(["true", "false"]).annotate({ description: "`true`: only what happened outside of loops" })
        ),
        ...place
      },
      success: LogPage,
      error: fails("ValidationError", "InvalidRequestUrl", "NotFound")
    }).pipe(
      requires(oneRun),
      told(
        "List the log of a run",
        "Its entries in their order, in pages: all, those outside of loops, or of one item."
      )
    ),
    HttpApiEndpoint.get("loops", "/v1/automation-run/:run_id/loop", {
      params: run_id,
      query: place,
      success: Schema.Struct({ loops: Schema.Array(Loop) }),
      error: fails("ValidationError", "InvalidRequestUrl", "NotFound")
    }).pipe(
      requires(oneRun),
      told("List the loops of a run", "Those that have begun, with how many of their items failed, are done, are left.")
    ),
    HttpApiEndpoint.get("loopItems", "/v1/automation-run/:run_id/loop/:action_id", {
      params: { ...run_id, action_id: Schema.String },
      query: {
        limit: Schema.optionalKey(upTo(1_000)),
        status: Schema.optionalKey(ItemStatus),
        iteration: Schema.optionalKey(
          iteration.annotate({ description: "The 0-based items of the loops around it, the outermost first: `3`" })
        )
      },
      success: LoopItems,
      error: fails("ValidationError", "InvalidRequestUrl", "NotFound")
    }).pipe(
      requires(oneRun),
      told(
        "List the items of a loop",
        "How each item stands, those that failed first, while the run goes on and after."
      )
    ),
    HttpApiEndpoint.get("diff", "/v1/automation-run/:run_id/diff/:other_run_id", {
      params: { ...run_id, other_run_id: Schema.String },
      success: Schema.Struct({ differences: Schema.Array(RunDifference) }),
      error: fails("ValidationError", "InvalidRequestUrl", "NotFound")
    }).pipe(
      requires({ scope: "automations:read", cost: 2, unguarded: "behind another id" }),
      told("Compare two runs", "What the steps of one run wrote beside those of another.")
    ),
    HttpApiEndpoint.post("cancel", "/v1/automation-run/:run_id/cancel", {
      params: run_id,
      success: One.annotate({ httpApiStatus: 202 }),
      error: fails("InvalidRequestUrl", "NotFound", "Conflict")
    }).pipe(
      requires({ scope, unguarded: "behind another id" }),
      told("Cancel a run", "It ends before its next step; what is done stays done.")
    ),
    HttpApiEndpoint.post("retry", "/v1/automation-run/:run_id/retry", {
      params: run_id,
      payload: RetryBody,
      success: Message,
      error: fails("ValidationError", "InvalidRequestUrl", "NotFound", "Conflict")
    }).pipe(
      requires({ scope, unguarded: "behind another id" }),
      told("Retry a run", "Starts a new run like it, from the beginning or from the step that failed.")
    )
  )
  .middleware(DevApi)
  .annotateMerge(room("Runs", "Starting, watching, cancelling and repeating runs of automations; weblinks.")) {}
