// Jobs, work on many things that goes on in the background (developer-api.md 7.11), as the API shows them; and what may be a job.
import { Schema } from "effect"
import { formatDateTime, formatDateTimeOrNull } from "../../platform/primitives/dates.ts"
import { jsonb } from "../../platform/sql/columns.ts"
import type { Scope } from "../accounts/Scope.ts"

interface JobRights {
  /** Scope that beginning, cancelling and each batch need. */
  readonly acts: Scope
  /** Scope that seeing it needs. */
  readonly reads: Scope
  /** Words for operators. */
  readonly about: string
  /** Follows from a change that is made already: it goes on whoever leaves, and is never refused. */
  readonly standing?: true
}

/** Kinds of jobs, each with the scopes that it needs; `JobKinds` has what they do. */
export const jobKinds = {
  run_cancel: { acts: "automations:run", reads: "automations:read", about: "cancel runs" },
  run_retry: { acts: "automations:run", reads: "automations:read", about: "retry runs" },
  run_delete: { acts: "automations:edit", reads: "automations:read", about: "delete runs" },
  record_import: { acts: "records:edit", reads: "records:read", about: "import records from a CSV file" },
  field_recalculate: { acts: "apps:edit", reads: "apps:read", about: "calculate fields anew", standing: true },
  record_index: { acts: "apps:edit", reads: "apps:read", about: "index records for the search", standing: true },
  delivery_replay: { acts: "webhooks:manage", reads: "webhooks:manage", about: "replay deliveries", standing: true },
  // Its report shows values.
  field_convert: { acts: "apps:edit", reads: "records:read", about: "convert a field" }
} as const satisfies Record<string, JobRights>
export const standingKinds = Object.entries(jobKinds).flatMap(([kind, rights]: [string, JobRights]) =>
  rights.standing === true ? [kind] : []
)
export const isStanding = (kind: JobKindName): boolean => (jobKinds[kind] as JobRights).standing === true

export type JobKindName = keyof typeof jobKinds
export const jobKindNames = Object.keys(jobKinds) as [JobKindName, ...Array<JobKindName>]

const JobStatus = Schema.Literals(["pending", "running", "completed", "failed", "cancelled"]).annotate({
  identifier: "JobStatus"
})

/** Entries that a report holds; the counts tell of all. */
export const REPORTED = 100

export const ReportEntry = Schema.Struct({
  id: Schema.NullOr(Schema.String).annotate({
    description: "What it is about: a run, a line of the imported file; null: the job itself"
  }),
  message: Schema.String
}).annotate({ identifier: "JobReportEntry" })
export type ReportEntry = typeof ReportEntry.Type

const JobFile = Schema.Struct({
  name: Schema.String,
  size: Schema.Int,
  link: Schema.String.annotate({ description: "Signed, for an hour" })
}).annotate({ identifier: "JobFile" })
type JobFile = typeof JobFile.Type

/** Holder (`file_holds`) of the file that a job leaves. */
export const jobHolder = (jobId: number | ""): string => `job/${jobId}`

/** Holder of a file that a job reads, until it is over. */
export const sourceHolder = (jobId: number | ""): string => `job-source/${jobId}`

export const JobView = Schema.Struct({
  job_id: Schema.Int,
  kind: Schema.Literals(jobKindNames).annotate({ identifier: "JobKind" }),
  status: JobStatus,
  progress: Schema.Struct({ done: Schema.Int, total: Schema.Int }).annotate({
    description:
      "How many it has worked on, of how many there were when it began; of an import, rows, of an estimate until it is over; of a replay, deliveries that have their result, of those chosen so far"
  }),
  counts: Schema.Record(Schema.String, Schema.Int).annotate({
    description:
      "What became of them: `cancelled`, `retried`, `deleted`, `replayed`, `created`, `updated`, `calculated`, `indexed`, `converted`; `unconvertible`: their field is empty; `empty`: had no value; `skipped`, `unchanged`: left as they are, or not imported. Of an import also `cells_left_empty` and `options_added`"
  }),
  report: Schema.Array(ReportEntry).annotate({
    description: `Why things were skipped, the first ${REPORTED}; and why a job has failed`
  }),
  file: Schema.NullOr(JobFile).annotate({
    description: "What it leaves once it is over: of an import, the rows that were not imported, with line and reason"
  }),
  created_at: Schema.String,
  completed_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Job" })
export type JobView = typeof JobView.Type

/** Answer of an endpoint that begins a job. */
export const JobBegun = Schema.Struct({
  job_id: Schema.Int.annotate({ description: "Seen at `/v1/job/{job_id}`, as `Location` names it" })
}).annotate({ identifier: "JobBegun", httpApiStatus: 202 })

/** Link of the step that began a job, whose changes belong to its chain (developer-api.md 7.5 rule 4). */
export const JobOrigin = Schema.Struct({
  depth: Schema.Int,
  cause: Schema.Struct({
    ...{ automation_id: Schema.Int, run_id: Schema.String, root_run_id: Schema.String },
    chain: Schema.Array(Schema.Int)
  })
})

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
  file_id: Schema.NullOr(Schema.Int),
  created_on: Schema.Date,
  completed_on: Schema.NullOr(Schema.Date)
})
export type JobRow = typeof JobRow.Type
export const jobColumns = Object.keys(JobRow.fields).join(", ")

export const jobOf = (row: JobRow, file: JobFile | null): JobView => ({
  job_id: row.job_id,
  kind: row.kind,
  status: row.status,
  progress: { done: row.done, total: row.total },
  counts: row.counts,
  report: row.report,
  file: row.completed_on === null ? null : file,
  created_at: formatDateTime(row.created_on),
  completed_at: formatDateTimeOrNull(row.completed_on)
})
