// Jobs on runs (developer-api.md 7.11): which runs each kind may work on, and what a job remembers of its request.
import { Schema } from "effect"
import { type JobKindName, JobOrigin } from "../../jobs/Job.ts"
import { RetryBody } from "./runRetries.ts"
import { RunFilters } from "./runSearch.ts"

export type RunJobKind = Extract<JobKindName, `run_${string}`>
type RunStatus = NonNullable<RunFilters["status"]>

/** Statuses of runs that a kind works on; all others are left out of its selection. */
export const worksOn: Readonly<Record<RunJobKind, ReadonlyArray<RunStatus>>> = {
  run_cancel: ["pending", "running"],
  run_retry: ["failed", "cancelled"],
  run_delete: ["completed", "failed", "cancelled"]
}

export const RunJobInput = Schema.Struct({
  filters: RunFilters,
  /** Newest run when the job began: it works on nothing that comes later, its own retries among them. */
  through: Schema.String,
  origin: Schema.optionalKey(JobOrigin),
  retry: Schema.optionalKey(RetryBody)
})
export type RunJobInput = typeof RunJobInput.Type
