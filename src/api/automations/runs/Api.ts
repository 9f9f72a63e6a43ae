// Endpoints of runs (developer-api.md 7.11), and of what starts one: startRuns.ts, triggerAutomation.ts, generateWeblink.ts.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { RetryBody } from "../../../domain/automations/requests/runRetries.ts"
import * as Common from "../../../platform/primitives/commonSchemas.ts"
import { located } from "../../middleware/answerHeaders.ts"
import { costs } from "../../middleware/cost.ts"
import { DevApi } from "../../middleware/DevApi.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { requires } from "../../middleware/Requires.ts"
import { groupSummary, withSummary } from "../../middleware/summaries.ts"
import { weblink, weblinkDeprecated } from "./generateWeblink.ts"
import { cancelMany, deleteMany, retryMany } from "./manyRuns.ts"
import {
  Accepted,
  ItemStatus,
  LogPage,
  LogStatus,
  Loop,
  LoopItems,
  One,
  Page,
  RunWithLogs,
  Summary
} from "./runAnswers.ts"
import { ListBody, PageBody, RunDifference } from "./runBodies.ts"
import { manualRun, simulate, testStep } from "./startRuns.ts"
import { call, callDeprecated } from "./triggerAutomation.ts"

const scope = "automations:run" as const
const list = { scope: "automations:read", cost: costs.lists, unguarded: "filtered" } as const
const run_id = { run_id: Schema.String }
const upTo = (maximum: number, minimum = 1) =>
  Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum }))
/** Items of loops, ten of them one in another at most. */
const iteration = Schema.String.check(Schema.isPattern(/^\d{1,4}(?:\.\d{1,4}){0,9}$/))
const loopQuery = {
  loop: Schema.optionalKey(
    Schema.String.annotate({ description: "The `action_id` of a loop: what stands directly inside of it" })
  ),
  iteration: Schema.optionalKey(
    iteration.annotate({ description: "The 0-based items of that loop and those around it: `17`, `3.17`" })
  )
}
const oneRun = { scope: "automations:read", unguarded: "behind another id" } as const
const defineRunList = <const N extends string, const P extends `/${string}`>(
  name: N,
  path: P,
  summary: string,
  description: string
) =>
  HttpApiEndpoint.post(name, path, {
    params: { id: Common.Id },
    payload: PageBody,
    success: Page,
    error: fails("ValidationError", "NotFound")
  }).pipe(requires(list), withSummary(summary, description))
export class RunsApi extends HttpApiGroup.make("automationRuns")
  .add(
    manualRun,
    simulate,
    testStep,
    call,
    callDeprecated,
    weblink,
    weblinkDeprecated,
    HttpApiEndpoint.post("list", "/v1/automation-run", {
      payload: ListBody,
      success: Page,
      error: fails("ValidationError", "NotFound")
    }).pipe(
      requires(list),
      withSummary(
        "List runs",
        "Runs of all automations that the caller may see, newest first, by status, time, record, cause and error."
      )
    ),
    HttpApiEndpoint.post("summary", "/v1/automation-run/summary", {
      payload: Schema.Struct({ automation_ids: Schema.Array(Common.Id).check(Schema.isMaxLength(100)) }),
      success: Schema.Struct({ summaries: Schema.Array(Summary) }),
      error: fails("ValidationError")
    }).pipe(
      requires(list),
      withSummary("Sum up runs of automations", "What has become of the newest 100 runs of each, and of the last one.")
    ),
    defineRunList("listApp", "/v1/automation-run/app/:id", "List runs of an app", "Newest first, in pages."),
    defineRunList(
      "listWorkspace",
      "/v1/automation-run/workspace/:id",
      "List runs of a workspace",
      "Newest first, in pages."
    ),
    defineRunList(
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
    }).pipe(requires(oneRun), withSummary("Get a run", "One run with its log, step by step, and why it waits.")),
    HttpApiEndpoint.get("log", "/v1/automation-run/:run_id/log", {
      params: run_id,
      query: {
        limit: Schema.optionalKey(upTo(500)),
        cursor: Schema.optionalKey(Schema.String),
        status: Schema.optionalKey(LogStatus),
        outside_loops: Schema.optionalKey(
          Schema.Literals(["true", "false"]).annotate({ description: "`true`: only what happened outside of loops" })
        ),
        ...loopQuery
      },
      success: LogPage,
      error: fails("ValidationError", "InvalidRequestUrl", "NotFound")
    }).pipe(
      requires(oneRun),
      withSummary(
        "List the log of a run",
        "Its entries in their order, in pages: all, those outside of loops, or of one item."
      )
    ),
    HttpApiEndpoint.get("loops", "/v1/automation-run/:run_id/loop", {
      params: run_id,
      query: loopQuery,
      success: Schema.Struct({ loops: Schema.Array(Loop) }),
      error: fails("ValidationError", "InvalidRequestUrl", "NotFound")
    }).pipe(
      requires(oneRun),
      withSummary(
        "List the loops of a run",
        "Those that have begun, with how many of their items failed, are done, are left."
      )
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
      withSummary(
        "List the items of a loop",
        "How each item stands, those that failed first, while the run goes on and after."
      )
    ),
    HttpApiEndpoint.get("diff", "/v1/automation-run/:run_id/diff/:other_run_id", {
      params: { ...run_id, other_run_id: Schema.String },
      success: Schema.Struct({ differences: Schema.Array(RunDifference) }),
      error: fails("ValidationError", "InvalidRequestUrl", "NotFound")
    }).pipe(
      requires({ scope: "automations:read", cost: costs.comparisons, unguarded: "behind another id" }),
      withSummary("Compare two runs", "What the steps of one run wrote beside those of another.")
    ),
    cancelMany,
    retryMany,
    deleteMany,
    HttpApiEndpoint.post("cancel", "/v1/automation-run/:run_id/cancel", {
      params: run_id,
      success: One.annotate({ httpApiStatus: 202 }),
      error: fails("InvalidRequestUrl", "NotFound", "Conflict")
    }).pipe(
      requires({ scope, unguarded: "behind another id" }),
      withSummary("Cancel a run", "It ends before its next step; what is done stays done.")
    ),
    HttpApiEndpoint.post("retry", "/v1/automation-run/:run_id/retry", {
      params: run_id,
      payload: RetryBody,
      success: Accepted,
      error: fails("ValidationError", "InvalidRequestUrl", "NotFound", "Conflict")
    }).pipe(
      requires({ scope, unguarded: "behind another id" }),
      located,
      withSummary("Retry a run", "Starts a new run like it, from the beginning or from the step that failed.")
    )
  )
  .middleware(DevApi)
  .annotateMerge(groupSummary("Runs", "Starting, watching, cancelling and repeating runs of automations; weblinks.")) {}
