// Builds ledger rows and log entries of a run: a step's entry, and the entry of an end that no step has caused (decisions A1;
// developer-api.md 7.11).
import { actionSpec } from "../actions/registry.ts"
import { iterationKey, type PlanNode } from "../model/Plan.ts"
import { logMessages, logValues } from "./logText.ts"
import type { RunStep } from "./RunContext.ts"
import type { Ending, LedgerEntry, LogEntry, LogStatus } from "./RunRow.ts"
import type { StepOutput } from "./StepOutput.ts"

export const ledgerOf = (
  { cursor, node }: RunStep,
  state: LedgerEntry["state"],
  attempts = 1,
  result: unknown = null
): LedgerEntry => ({
  path: node.path,
  iteration: iterationKey(cursor.iteration),
  action_id: node.action.id,
  state,
  attempts,
  result
})

export const labelOf = (node: PlanNode): string =>
  node.action.custom_name ?? actionSpec(node.action.type)?.label ?? node.action.type

/** Returns the log entry of a step. @param millis duration of the attempt */
export const logOf = (
  { context, cursor, node }: RunStep,
  status: LogStatus,
  gathered: StepOutput,
  millis = 0,
  attempt = 1
): LogEntry => ({
  type: "action",
  status,
  label: labelOf(node),
  messages: logMessages(gathered.messages, gathered.secrets),
  action_id: node.action.id,
  record_id: gathered.about ?? context.run.record_id,
  ...(cursor.iteration.length === 0 ? {} : { iteration: iterationKey(cursor.iteration) }),
  detail: {
    inputs: { ...logValues(gathered.inputs, gathered.secrets), ...gathered.shown },
    outputs: logValues(gathered.results, gathered.secrets),
    duration_ms: millis,
    attempts: attempt
  }
})

export const completed: Ending = { status: "completed", failure_reason: null, error_message: null }
/** @param reason reason of a cancellation that no person requested */
export const cancelledFor = (reason: string | null): Ending => ({
  status: "cancelled",
  failure_reason: null,
  error_message: reason
})

/** Log entry that no step has written. */
export const entryOf = (
  type: LogEntry["type"],
  status: LogStatus,
  label: string,
  messages: LogEntry["messages"]
): LogEntry => ({ type, status, label, messages, action_id: null, record_id: null, detail: null })

/** Returns the log entry of an end that no step has caused: a failure or a cancellation. */
export const exceptionOf = (ending: Ending | null): ReadonlyArray<LogEntry> => {
  if (ending === null || ending.status === "completed") return []
  const message = ending.error_message ?? "The run was cancelled."
  return ending.status === "failed"
    ? [entryOf("exception", "failure", "Run", [{ message, level: "error" }])]
    : [entryOf("exception", "cancelled", "Run", [{ message, level: "info" }])]
}

/** Log entry about the answer at the end of the run (7.9). */
export const answerEntry = (status: "failure" | "skipped", message: string): LogEntry =>
  entryOf("exception", status, "Answer", [{ message, level: status === "failure" ? "error" : "info" }])

/** Returns the last row of each key, in their order. */
export const lastOf = <A>(rows: ReadonlyArray<A>, key: (row: A) => string): ReadonlyArray<A> => {
  if (rows.length < 2) return rows
  const lastRows = new Map<string, A>()
  for (const row of rows) {
    lastRows.delete(key(row))
    lastRows.set(key(row), row)
  }
  return [...lastRows.values()]
}
