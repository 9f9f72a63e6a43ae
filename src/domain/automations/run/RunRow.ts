// Row of a run as its executor holds it, and the data that a step commits (developer-api.md 7.11; decisions A1).
import { Schema } from "effect"
import type { Cause } from "../../../engine/outbox/Event.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import type { Cursor } from "../model/Plan.ts"
import type { RunAnswer } from "../model/RunAnswer.ts"
import { type Output, RunType, type TriggerData } from "../model/RunScope.ts"
import type { FailureReason, LogMessage } from "../model/Step.ts"
import { type Wait, WaitColumns } from "./waitReasons.ts"

/** Another executor has taken the run over, or the run has ended: this executor must not commit anything more. */
export class RunTaken extends Schema.TaggedError<RunTaken>()("RunTaken", { runId: Schema.String }) {}

export const RunStatus = Schema.Literals(["pending", "running", "completed", "failed", "cancelled"])
export type RunStatus = typeof RunStatus.Type

export const RunRow = Schema.Struct({
  run_id: Schema.String,
  org_id: Schema.Int,
  app_id: Schema.Int,
  automation_id: Schema.Int,
  revision_id: Schema.String,
  event_id: Schema.Int,
  type: RunType,
  status: RunStatus,
  cursor: Schema.NullOr(jsonb<Cursor>()),
  fence: Schema.Int,
  durable: Schema.Boolean,
  wait_why: WaitColumns.fields.wait_why,
  wait_until: Schema.NullOr(Schema.Date),
  cancel_requested_on: Schema.NullOr(Schema.Date),
  cancel_reason: Schema.NullOr(Schema.String),
  record_id: Schema.NullOr(Schema.Int),
  root_run_id: Schema.NullOr(Schema.String),
  depth: Schema.Int,
  chain: Schema.Array(Schema.Int),
  log_seq: Schema.Int,
  credits: Schema.Int,
  executed_ms: Schema.Int,
  most_recent_error: Schema.NullOr(Schema.String),
  traceparent: Schema.NullOr(Schema.String),
  created_on: Schema.Date,
  started_on: Schema.NullOr(Schema.Date)
})
export type RunRow = typeof RunRow.Type

/** Cause of what a run changes or calls: the run is a link of its chain. */
export const causeOf = (run: Pick<RunRow, "automation_id" | "chain" | "root_run_id" | "run_id">): Cause => ({
  automation_id: run.automation_id,
  run_id: run.run_id,
  root_run_id: run.root_run_id ?? run.run_id,
  chain: [...run.chain, run.automation_id]
})

/** Facts that the automation, not the revision, provides for its runs. */
export const Holder = Schema.Struct({
  workspace_id: Schema.Int,
  /** True if the author of the run's revision is an active user. */
  author_active: Schema.Boolean,
  deleted: Schema.Boolean
})
export type Holder = typeof Holder.Type

export interface LoadedRun {
  readonly run: RunRow
  readonly holder: Holder
  readonly trigger: TriggerData
  /** True if no step has published a value or answered yet: nothing of that kind needs to be read. */
  readonly fresh: boolean
}

export const LogStatus = Schema.Literals(["in_progress", "success", "failure", "skipped", "cancelled"])
export type LogStatus = typeof LogStatus.Type
export interface LogEntry {
  readonly type: "trigger" | "filter" | "action" | "exception"
  readonly status: LogStatus
  readonly label: string
  readonly messages: ReadonlyArray<LogMessage>
  readonly action_id: string | null
  readonly record_id: number | null
  /** Key of the iteration of a step inside of loops (`iterationKey`). */
  readonly iteration?: string
  /** Resolved inputs and outputs, duration in ms, attempts. */
  readonly detail: Readonly<Record<string, unknown>> | null
}

export interface LedgerEntry {
  readonly path: string
  readonly iteration: string
  readonly action_id: string
  readonly state: "started" | "done" | "failed"
  readonly attempts: number
  readonly result: unknown
}

/** Outcome with which a run ends. */
export interface Ending {
  readonly status: "completed" | "failed" | "cancelled"
  readonly failure_reason: FailureReason | null
  readonly error_message: string | null
}

/** Position after a step, null if no step is left; or the ending of the run. */
export type Next = Cursor | Ending | null
export const isEnding = (next: Next): next is Ending => next !== null && "status" in next

/** Everything that one commit of a run writes, all of it or nothing. */
export interface Commit {
  readonly cursor: Cursor | null
  readonly ledger: ReadonlyArray<LedgerEntry>
  readonly logs: ReadonlyArray<LogEntry>
  readonly variables: ReadonlyArray<{ readonly custom_type: string; readonly label: string; readonly value: unknown }>
  readonly outputs: ReadonlyArray<StoredOutput>
  readonly credits: number
  readonly executedMs: number
  readonly mostRecentError: string | null
  /** Answer to the request that waits for the run; the first one of a run stays. */
  readonly answer: RunAnswer | null
  /** Null: the run continues. */
  readonly waits: Wait | null
  readonly ending: Ending | null
  /**
   * Null: the commit has to be on disk before anything continues, since it must survive a crash of the server. Otherwise the commit need
   * not wait for the disk (docs/architecture.md). `apps` names the apps whose hooks receive the change: the commit waits if such hooks
   * exist.
   */
  readonly lazy: { readonly apps: ReadonlyArray<number> } | null
}

export interface StoredOutput {
  /** Type of the output, or `previous`. */
  readonly type: Output["type"] | "previous"
  readonly app_id: number
  readonly output: unknown
}
