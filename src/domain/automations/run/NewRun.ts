// Run that an event has caused and that is not stored yet (developer-api.md 7.11 rule 1).
import type { AwaitedBy } from "../model/fireCommand.ts"
import type { Cursor } from "../model/Plan.ts"
import type { RunType, TriggerData } from "../model/RunScope.ts"
import type { FailureReason } from "../model/Step.ts"
import type { Holder, LoadedRun, LogEntry } from "./RunRow.ts"

export interface NewRun {
  readonly row_id: number
  readonly event_id: number
  readonly org_id: number
  readonly app_id: number
  readonly automation_id: number
  readonly revision_id: string
  readonly type: RunType
  readonly durable: boolean
  /** True if the automation had a concurrency limit when the mailbox row was claimed. */
  readonly has_limit: boolean
  readonly cursor: Cursor | null
  readonly record_id: number | null
  readonly record_revision: number | null
  readonly triggered_by_automation_id: number | null
  readonly retry_of_run_id: string | null
  readonly root_run_id: string | null
  /** Run whose step or record change has caused this one. */
  readonly caused_by_run_id: string | null
  readonly depth: number
  readonly chain: ReadonlyArray<number>
  readonly trigger: TriggerData
  readonly logs: ReadonlyArray<LogEntry>
  /** Reason why the filter could not be evaluated: the run ends before its first step. */
  readonly failure: { readonly reason: FailureReason; readonly message: string } | null
  /** Id that was promised to a caller before the run was stored. */
  readonly given_id?: string | null
  readonly wait_key: string | null
  /** Call whose step waits for the run. */
  readonly awaited: AwaitedBy | null
  /** True: the retry starts at the failed step and takes over the results of the finished ones instead of repeating them. */
  readonly takes_over: boolean
  /** Run whose variables, outputs and files the test of a single step uses. */
  readonly values_of: string | null
  /** Files named by its arguments that run `by` has made or was given: the new run holds them as well (decisions A21). */
  readonly handed: { readonly by: string; readonly files: ReadonlyArray<number> } | null
  /** Time at which the filter began, ISO. */
  readonly filtering_on: string
  /** Trace context of the run's span; null: the run is not traced. */
  readonly traceparent: string | null
  /** ISO time until which the run coalesces further changes, at least; null: it has fired. */
  readonly debounced_until: string | null
}

/** True if an actor executes the run at once, and neither a limit nor another run knows of it. */
export const onlyBegins = (run: NewRun): boolean =>
  !run.durable &&
  !run.has_limit &&
  run.failure === null &&
  run.awaited === null &&
  run.values_of === null &&
  run.debounced_until === null &&
  !run.takes_over

/** Returns the run as it is loaded at its first step. */
export const loadedOf = (run_id: string, run: NewRun, holder: Holder): LoadedRun => ({
  run: {
    ...run,
    run_id,
    status: "running",
    fence: 1,
    wait_why: null,
    wait_until: null,
    cancel_requested_on: null,
    cancel_reason: null,
    log_seq: run.logs.length,
    credits: 0,
    executed_ms: 0,
    most_recent_error: null,
    created_on: new Date(run.filtering_on),
    started_on: new Date(run.filtering_on)
  },
  holder,
  trigger: run.trigger,
  fresh: !run.takes_over && run.values_of === null
})
