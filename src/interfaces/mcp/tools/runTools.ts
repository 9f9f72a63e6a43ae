// Tools that read and control the runs of automations (developer-api.md 7.11).
import { Schema } from "effect"
import { waitReasons } from "../../../domain/automations/run/waitReasons.ts"
import { list, token } from "../../../platform/bounds/sized.ts"
import { acts, reads, replaces, tool } from "../Tool.ts"
import { id, optional, page, pageDefaults, text } from "./args.ts"

interface ListArguments {
  readonly automation_id?: number
  readonly app_id?: number
  readonly status?: string
  readonly created_at_from?: string
  readonly created_at_to?: string
  readonly record_id?: number
  readonly caused_by_run_id?: string
  readonly chain_run_id?: string
  readonly error_contains?: string
  readonly waiting?: string
  readonly limit?: number
  readonly cursor?: string
}

/** Only the listing of one automation, which takes no filters, has its simulations. */
const ofOneAutomation = (args: Partial<ListArguments>) =>
  Object.entries(args).every(
    ([name, value]) => value === undefined || name === "automation_id" || name === "limit" || name === "cursor"
  ) && args.automation_id !== undefined

/** A cursor knows its filters and may not be sent together with them. */
const listBody = (args: ListArguments) => {
  const { app_id, automation_id, caused_by_run_id, chain_run_id, cursor, limit, record_id, waiting, ...filters } = args
  if (cursor !== undefined) return { cursor, limit }
  if (ofOneAutomation(args)) return { limit }
  const lists = { automation_id, app_id, record_id, caused_by_run_id, chain_run_id }
  const named = Object.entries(lists).flatMap(([name, value]) => (value === undefined ? [] : [[`${name}s`, [value]]]))
  return { limit, ...filters, ...Object.fromEntries(named), ...(waiting === undefined ? {} : { waiting: [waiting] }) }
}

/** Filters of listings and of jobs. */
const filters = {
  status: optional(
    Schema.Literals(["pending", "running", "completed", "failed", "cancelled"]).annotate({
      description: "Only runs in this state."
    })
  ),
  created_at_from: optional(text("From this time, UTC.")),
  created_at_to: optional(text("To this time, UTC.")),
  error_contains: optional(text("Only runs with this text in their error message."))
}

export const runTools = [
  tool({
    name: "list_runs",
    title: "List runs",
    description:
      "Runs of automations, newest first, with status, why they wait and cause of failure. With automation_id alone, simulations too.",
    hints: reads,
    endpoint: ["automationRuns", "list"],
    instead: (args) =>
      ofOneAutomation(args) ? { endpoint: "listAutomation", params: { id: args.automation_id } } : undefined,
    args: {
      automation_id: optional(id("Only runs of this automation.")),
      app_id: optional(id("Only runs of this app's automations.")),
      ...filters,
      record_id: optional(id("Only runs on this record.")),
      caused_by_run_id: optional(text("Only runs that this run has caused.")),
      chain_run_id: optional(text("Only runs of the chain that began with this run.")),
      waiting: optional(Schema.Literals(waitReasons).annotate({ description: "Only runs that wait for this." })),
      ...page
    },
    defaults: pageDefaults,
    body: listBody
  }),
  tool({
    name: "read_run",
    title: "Read a run",
    description:
      "One run with why it waits, the runs it has caused, and its log: every step with messages, inputs and outputs.",
    hints: reads,
    endpoint: ["automationRuns", "get"],
    args: { run_id: text("From list_runs.") }
  }),
  tool({
    name: "cancel_run",
    title: "Cancel a run",
    description: "Ends a run before its next step; what is done stays done.",
    hints: replaces,
    endpoint: ["automationRuns", "cancel"],
    args: { run_id: text("From list_runs.") }
  }),
  tool({
    name: "retry_run",
    title: "Retry a run",
    description:
      "Starts a new run like a failed or cancelled one. From the failed step what was done is not repeated; current is refused where a finished step was changed. Tells run_id and status.",
    hints: acts,
    follows: true,
    endpoint: ["automationRuns", "retry"],
    args: {
      run_id: text("From list_runs."),
      from: optional(Schema.Literals(["start", "failed_step"]).annotate({ description: "start unless given." })),
      definition: optional(Schema.Literals(["current", "original"]).annotate({ description: "current unless given." }))
    },
    body: ["from", "definition"]
  }),
  tool({
    name: "change_runs",
    title: "Cancel, retry or delete many runs",
    description:
      "Cancels open runs, retries failed and cancelled ones, or deletes ended ones, in the background: see read_job. Ask the user before you delete.",
    hints: acts,
    endpoint: ["automationRuns", "cancelMany"],
    instead: ({ change }) =>
      change === "retry" ? { endpoint: "retryMany" } : change === "delete" ? { endpoint: "deleteMany" } : undefined,
    own: ["change"],
    args: {
      change: Schema.Literals(["cancel", "retry", "delete"]).annotate({ description: "What to do." }),
      run_ids: optional(list(token, 500).annotate({ description: "These alone, from list_runs." })),
      automation_ids: optional(list(Schema.Int, 100).annotate({ description: "From list_automations." })),
      app_ids: optional(list(Schema.Int, 100).annotate({ description: "From list_apps." })),
      ...filters
    },
    body: ({ change: _, ...body }) => body
  }),
  tool({
    name: "read_job",
    title: "Read a job",
    description: "Progress, counts, and why some were skipped.",
    hints: reads,
    endpoint: ["jobs", "get"],
    args: { job_id: id("From change_runs or convert_field.") }
  }),
  tool({
    name: "cancel_job",
    title: "Cancel a job",
    description: "Stops a job after its present batch; what it has done stays.",
    hints: replaces,
    endpoint: ["jobs", "cancel"],
    args: { job_id: id("From change_runs.") }
  }),
  tool({
    name: "compare_runs",
    title: "Compare runs",
    description: "What two runs of one automation have written or would have, step by step.",
    hints: reads,
    endpoint: ["automationRuns", "diff"],
    args: { run_id: text("From list_runs."), other_run_id: text("From list_runs.") }
  })
]
