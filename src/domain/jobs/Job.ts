// Jobs, work on many things that goes on in the background (developer-api.md 7.11), as the API shows them; and what may be a job.
import { Schema } from "effect"
import { formatDateTime } from "../../ground/primitives/dates.ts"
import { jsonb } from "../../ground/sql/columns.ts"
import type { Scope } from "../accounts/Scope.ts"

interface JobRights {
  /** Scope that beginning, cancelling and each batch need. */
  readonly acts: Scope
  /** Scope that seeing it needs. */
  readonly reads: Scope
  /** Words for operators. */
  readonly about: string
}

/** Kinds of jobs, each with the scopes that it needs; `JobKinds` has what they do. */
export const jobKinds = {
  run_cancel: { acts: "automations:run", reads: "automations:read", about: "cancel runs" },
  run_retry: { acts: "automations:run", reads: "automations:read", about: "retry runs" },
  run_delete: { acts: "automations:edit", reads: "automations:read", about: "delete runs" }
} as const satisfies Record<string, JobRights>

export type JobKindName = keyof typeof jobKinds
export const jobKindNames = Object.keys(jobKinds) as [JobKindName, ...Array<JobKindName>]

const JobStatus = Schema.Literals(["pending", "running", "completed", "failed", "cancelled"]).annotate({
  identifier: "JobStatus"
})

/** Entries that a report holds; the counts tell of all. */
export const REPORTED = 100

export const ReportEntry = Schema.Struct({
  id: Schema.NullOr(Schema.String).annotate({ description: "What it is about; null: the job itself" }),
  message: Schema.String
}).annotate({ identifier: "JobReportEntry" })
export type ReportEntry = typeof ReportEntry.Type

export const JobView = Schema.Struct({
  job_id: Schema.Int,
  kind: Schema.Literals(jobKindNames).annotate({ identifier: "JobKind" }),
  status: JobStatus,
  progress: Schema.Struct({ done: Schema.Int, total: Schema.Int }).annotate({
    description: "How many it has worked on, of how many there were when it began"
  }),
  counts: Schema.Record(Schema.String, Schema.Int).annotate({
    description: "What became of them: `cancelled`, `retried`, `deleted`; `skipped`: left as they are"
  }),
  report: Schema.Array(ReportEntry).annotate({
    description: `Why things were skipped, the first ${REPORTED}; and why a job has failed`
  }),
  created_at: Schema.String,
  completed_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Job" })
export type JobView = typeof JobView.Type

export const JobRow = Schema.Struct({
  job_id: Schema.Int,
  org_id: Schema.NullOr(Schema.Int),
  user_id: Schema.NullOr(Schema.Int),
  kind: JobView.fields.kind,
  status: JobStatus,
  done: Schema.Int,
  total: Schema.Int,
  counts: jsonb<Readonly<Record<string, number>>>(),
  report: jsonb<ReadonlyArray<ReportEntry>>(),
  created_on: Schema.Date,
  completed_on: Schema.NullOr(Schema.Date)
})
export type JobRow = typeof JobRow.Type
export const jobColumns = Object.keys(JobRow.fields).join(", ")

export const jobOf = (row: JobRow): JobView => ({
  job_id: row.job_id,
  kind: row.kind,
  status: row.status,
  progress: { done: row.done, total: row.total },
  counts: row.counts,
  report: row.report,
  created_at: formatDateTime(row.created_on),
  completed_at: row.completed_on === null ? null : formatDateTime(row.completed_on)
})
