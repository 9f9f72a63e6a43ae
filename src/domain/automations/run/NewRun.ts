// A run that an event has brought about and that is not there yet (developer-api.md 7.11 rule 1).
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
  readonly cursor: Cursor | null
  readonly record_id: number | null
  readonly record_revision: number | null
  readonly triggered_by_automation_id: number | null
  readonly retry_of_run_id: string | null
  readonly root_run_id: string | null
  /** Whose step or change has caused it. */
  readonly caused_by_run_id: string | null
  readonly depth: number
  readonly chain: ReadonlyArray<number>
  readonly trigger: TriggerData
  readonly logs: ReadonlyArray<LogEntry>
  /** A filter that could not be decided: the run is over before its first step. */
  readonly failure: { readonly reason: FailureReason; readonly message: string } | null
  /** Its id, where that was told before it is there. */
  readonly given_id?: string | null
  readonly wait_key: string | null
  /** The call whose step waits for it. */
  readonly awaited: AwaitedBy | null
  /** From the failed step: what the retried run has finished is taken over, not repeated. */
  readonly takes_over: boolean
  /** A step tried alone finds the variables, outputs and files of this run. */
  readonly values_of: string | null
  /** Files that its arguments name and that run had made or been handed: it holds them, too (decisions A21). */
  readonly handed: { readonly by: string; readonly files: ReadonlyArray<number> } | null
  /** ISO: when the filter began. */
  readonly filtering_on: string
  /** Of its span; null: it is not traced. */
  readonly traceparent: string | null
  /** ISO: gathers changes until then, at least; null: it has fired. */
  readonly debounced_until: string | null
}

/** As it is at its first step. */
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
  trigger: run.trigger
})
