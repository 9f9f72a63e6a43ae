// A run as its executor holds it, and what a step commits (developer-api.md 7.11; decisions A1).
import { Schema } from "effect"
import type { Cursor } from "../model/Plan.ts"
import type { Output, RunType, TriggerData } from "../model/RunScope.ts"
import type { FailureReason, LogMessage } from "../model/Step.ts"
import type { Wait, WaitColumns } from "./waiting.ts"

/** Another executor has taken the run over, or the run is over: nothing of this one may be committed any more. */
export class RunTaken extends Schema.TaggedError<RunTaken>()("RunTaken", { runId: Schema.String }) {}

export type RunStatus = "pending" | "running" | "completed" | "failed" | "cancelled"

export interface RunRow {
  readonly run_id: string
  readonly org_id: number
  readonly app_id: number
  readonly automation_id: number
  readonly revision_id: string
  readonly event_id: number
  readonly type: RunType
  readonly status: RunStatus
  readonly cursor: Cursor | null
  readonly fence: number
  readonly durable: boolean
  readonly wait_why: WaitColumns["wait_why"]
  readonly wait_until: Date | null
  readonly cancel_requested_on: Date | null
  readonly cancel_reason: string | null
  readonly record_id: number | null
  readonly root_run_id: string | null
  readonly depth: number
  readonly chain: ReadonlyArray<number>
  readonly log_seq: number
  readonly credits: number
  readonly executed_ms: number
  readonly most_recent_error: string | null
  readonly created_on: Date
  readonly started_on: Date | null
}

/** What the automation gives its runs beyond the revision. */
export interface Holder {
  readonly workspace_id: number
  /** Whether the author of the run's revision is an active user. */
  readonly author_active: boolean
  readonly deleted: boolean
}

export interface LoadedRun {
  readonly run: RunRow
  readonly holder: Holder
  readonly trigger: TriggerData
}

export type LogStatus = "in_progress" | "success" | "failure" | "skipped" | "cancelled"
export interface LogEntry {
  readonly type: "trigger" | "filter" | "action" | "exception"
  readonly status: LogStatus
  readonly label: string
  readonly messages: ReadonlyArray<LogMessage>
  readonly action_id: string | null
  readonly record_id: number | null
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

/** How a run ends. */
export interface Ending {
  readonly status: "completed" | "failed" | "cancelled"
  readonly failure_reason: FailureReason | null
  readonly error_message: string | null
}

/** Where a step leads: on, or to the end of the run. */
export const isEnding = (next: Cursor | Ending | null): next is Ending => next !== null && "status" in next

/** Everything that one commit of a run writes; together or not at all. */
export interface Commit {
  readonly cursor: Cursor | null
  readonly ledger: ReadonlyArray<LedgerEntry>
  readonly logs: ReadonlyArray<LogEntry>
  readonly variables: ReadonlyArray<{ readonly custom_type: string; readonly label: string; readonly value: unknown }>
  readonly outputs: ReadonlyArray<StoredOutput>
  readonly credits: number
  readonly executedMs: number
  readonly mostRecentError: string | null
  /** Null: the run goes on. */
  readonly waits: Wait | null
  readonly ending: Ending | null
  /**
   * Null: what is committed has to outlive a crash of the server before anything goes on. Otherwise the commit need not wait for
   * the disk (docs/architecture.md); `apps`: whose hooks are told of the change, so that it waits where there are any.
   */
  readonly lazy: { readonly apps: ReadonlyArray<number> } | null
}

export interface StoredOutput {
  /** The output's type, or `previous`. */
  readonly type: Output["type"] | "previous"
  readonly app_id: number
  readonly output: unknown
}
