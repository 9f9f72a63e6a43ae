// Schemas of answers about runs: the runs themselves, their log, their loops, and the outcomes of an automation's runs (developer-api.md
// 7.11).

import { Schema } from "effect"
import { itemStates } from "../../../domain/automations/requests/loopItemStates.ts"
import { waitReasons } from "../../../domain/automations/run/waitReasons.ts"
import { pageOf } from "../../middleware/pageOf.ts"

export const Int = Schema.Int
export const NullInt = Schema.NullOr(Schema.Int)
const NullString = Schema.NullOr(Schema.String)
const statuses = ["pending", "running", "completed", "failed", "cancelled"] as const

export const Status = Schema.Literals(statuses).annotate({ identifier: "AutomationRunStatus" })
const RunType = Schema.Literals(["regular", "manual", "simulation"]).annotate({ identifier: "AutomationRunType" })
export const WaitReason = Schema.Literals(waitReasons).annotate({ identifier: "AutomationWaitReason" })

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
export const LogStatus = Schema.Literals(["in_progress", "success", "failure", "skipped", "cancelled"]).annotate({
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
export const RunWithLogs = Schema.Struct({
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

export const LogPage = pageOf("logs", Log).annotate({
  identifier: "AutomationRunLogPage"
})
export const ItemStatus = Schema.Literals(itemStates).annotate({
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
export const Loop = Schema.Struct(loopMembers).annotate({ identifier: "AutomationRunLoop" })
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
export const LoopItems = Schema.Struct({
  ...loopMembers,
  shown: Schema.Array(LoopItem).annotate({ description: "Those that failed first, then those under way" })
}).annotate({ identifier: "AutomationRunLoopItems" })
export const Summary = Schema.Struct({
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

export const One = Schema.Struct({ automation_run: Run }).annotate({ identifier: "AutomationRunAnswer" })
export const Page = pageOf("automation_runs", Run).annotate({
  identifier: "AutomationRunPage"
})
export const Accepted = Schema.Struct({
  message: Schema.String,
  run_id: NullString.annotate({
    description:
      "The run that comes of it, as `Location` names it; null where its filter is still to be judged and may reject it"
  })
}).annotate({
  identifier: "AutomationRunAccepted",
  httpApiStatus: 202
})
export const Nothing = Schema.Struct({}).annotate({ httpApiStatus: 202 })
