// Run and its log as the API shows them (developer-api.md 7.11).
import { Schema } from "effect"
import { formatDateTime, formatDateTimeOrNull } from "../../../platform/primitives/dates.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import type { Cursor } from "../model/Plan.ts"
import { RunType } from "../model/RunScope.ts"
import type { LogMessage } from "../model/Step.ts"
import { LogStatus, RunStatus } from "../run/RunRow.ts"
import { WaitColumns, waitColumns, waitOf } from "../run/waitReasons.ts"
import type { RunDetails } from "./runDetails.ts"

export const RunRecord = Schema.Struct({
  ...WaitColumns.fields,
  run_id: Schema.String,
  automation_id: Schema.Int,
  automation_name: Schema.String,
  revision_id: Schema.String,
  app_id: Schema.Int,
  app_name: Schema.String,
  workspace_id: Schema.Int,
  status: RunStatus,
  type: RunType,
  created_on: Schema.Date,
  filtering_on: Schema.NullOr(Schema.Date),
  started_on: Schema.NullOr(Schema.Date),
  completed_on: Schema.NullOr(Schema.Date),
  executed_ms: Schema.Int,
  credits: Schema.Int,
  failure_reason: Schema.NullOr(Schema.String),
  error_message: Schema.NullOr(Schema.String),
  record_id: Schema.NullOr(Schema.Int),
  record_revision: Schema.NullOr(Schema.Int),
  triggered_by_automation_id: Schema.NullOr(Schema.Int),
  retry_of_run_id: Schema.NullOr(Schema.String),
  cursor: Schema.NullOr(jsonb<Cursor>()),
  caused_by_run_id: Schema.NullOr(Schema.String),
  root_run_id: Schema.NullOr(Schema.String)
})
export type RunRecord = typeof RunRecord.Type

/** Columns of `RunRecord` from `runs r JOIN automations x JOIN apps a`. */
export const runColumns = `r.run_id::text, r.automation_id, x.name AS automation_name, r.revision_id::text, r.app_id,
  a.name AS app_name, a.workspace_id, r.status, r.type, r.created_on, r.filtering_on, r.started_on, r.completed_on,
  r.executed_ms, r.credits, r.failure_reason, r.error_message, r.record_id, r.record_revision,
  r.triggered_by_automation_id, r.retry_of_run_id::text, r.cursor, r.caused_by_run_id::text, r.root_run_id::text,
  ${waitColumns}`

export const LogRecord = Schema.Struct({
  seq: Schema.Int,
  type: Schema.Literals(["trigger", "filter", "action", "exception"]),
  status: LogStatus,
  label: Schema.String,
  messages: jsonb<ReadonlyArray<LogMessage>>(),
  action_id: Schema.NullOr(Schema.String),
  record_id: Schema.NullOr(Schema.Int),
  iteration: Schema.NullOr(Schema.String),
  detail: Schema.NullOr(jsonb<Readonly<Record<string, unknown>>>()),
  logged_on: Schema.Date
})
export type LogRecord = typeof LogRecord.Type

/** Columns of `LogRecord` from `run_logs`. */
export const logColumns = "seq, type, status, label, messages, action_id, record_id, iteration, detail, logged_on"

/** Milliseconds in which the run was neither executing nor completed: before its start, and between its steps. */
const waitedOf = (row: RunRecord, now: number): number =>
  Math.max(0, (row.completed_on?.getTime() ?? now) - row.created_on.getTime() - row.executed_ms)

/** Returns the reason of the wait, and the step with which the run continues. */
const waitingOf = (row: RunRecord, { at }: RunDetails) => {
  const wait = waitOf(row)
  return wait === null
    ? null
    : { since: formatDateTime(wait.since), until: formatDateTimeOrNull(wait.until), why: wait.why, ...at }
}

/** Returns the run's position in a chain; absent if it has none. */
const chainOf = ({ caused_by_run_id, root_run_id, run_id }: RunRecord, { children }: RunDetails) => ({
  ...(caused_by_run_id === null ? {} : { caused_by_run_id }),
  ...(root_run_id === null && children === undefined ? {} : { chain_run_id: root_run_id ?? run_id }),
  ...(children === undefined ? {} : { child_run_ids: children })
})

export const viewOf = (row: RunRecord, sight: RunDetails, now: number) => ({
  id: row.run_id,
  automation_id: row.automation_id,
  automation_name: row.automation_name,
  automation_revision_id: row.revision_id,
  app_id: row.app_id,
  app_name: row.app_name,
  workspace_id: row.workspace_id,
  status: row.status,
  type: row.type,
  created_at: formatDateTime(row.created_on),
  filtering_at: formatDateTimeOrNull(row.filtering_on),
  started_at: formatDateTimeOrNull(row.started_on),
  completed_at: formatDateTimeOrNull(row.completed_on),
  execution_duration_ms: row.executed_ms,
  waiting_duration_ms: waitedOf(row, now),
  num_consumed_actions: row.credits,
  failure_reason: row.failure_reason,
  error_message: row.error_message,
  triggered_on_record_id: row.record_id,
  triggered_on_record_revision_id: row.record_revision,
  triggered_by_automation_id: row.triggered_by_automation_id,
  retry_of_run_id: row.retry_of_run_id,
  waiting: waitingOf(row, sight),
  ...chainOf(row, sight)
})
export type RunView = ReturnType<typeof viewOf>

const logId = (runId: string, { action_id, seq, type }: LogRecord): string =>
  type === "trigger" || type === "filter"
    ? `${runId}-${type}`
    : type === "action"
      ? `${runId}-action-${action_id}-${seq}`
      : `${runId}-exception-${seq}`

/** `detail` is our extension: resolved inputs and outputs, duration, attempts. */
export const logViewOf = (runId: string, log: LogRecord) => ({
  id: logId(runId, log),
  type: log.type,
  status: log.status,
  label: log.label,
  messages: log.messages,
  action_id: log.action_id,
  record_id: log.record_id,
  ...(log.iteration === null ? {} : { iteration: log.iteration.split(".").map(Number) }),
  logged_at: formatDateTime(log.logged_on),
  detail: log.detail
})
export type LogView = ReturnType<typeof logViewOf>
