// The latest jobs on runs: how far each has come, what became of its runs, and its report.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { client } from "../../api/client.ts"
import { Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import { JobReport } from "./JobReport.tsx"
import { isOpen, type Job, latestJobs } from "./jobQueries.ts"

/** Jobs that work on runs; others are shown where their work is. */
const kinds: Partial<Record<Job["kind"], string>> = {
  run_cancel: "Cancel runs",
  run_retry: "Retry runs",
  run_delete: "Delete runs",
  field_recalculate: "Calculate fields",
  record_index: "Index records"
}

export const states = {
  pending: { tone: "", words: "Waiting to start" },
  running: { tone: "warn", words: "Running" },
  completed: { tone: "good", words: "Completed" },
  failed: { tone: "bad", words: "Failed" },
  cancelled: { tone: "", words: "Cancelled" }
} as const

const JobItem = ({ job }: { readonly job: Job }) => {
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => client.jobs.cancel({ job_id: job.job_id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["jobs"] })
  })
  const { done, total } = job.progress
  const { tone, words } = states[job.status]
  const counts = Object.entries(job.counts).map(([what, count]) => `${count} ${what}`)
  return (
    <li className="delivery">
      <div className="row">
        <div>
          <Tag tone={tone}>{words}</Tag>
          <span>{kinds[job.kind]}</span>{" "}
          <span className="muted">
            {done} of {total}
            {counts.length > 0 && ` · ${counts.join(", ")}`} · started <Time at={job.created_at} />
          </span>
        </div>
        {isOpen(job) && (
          <button type="button" className="quiet small" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel job
          </button>
        )}
      </div>
      {isOpen(job) && (
        <progress aria-label={`${kinds[job.kind]}, job ${job.job_id}`} value={done} max={Math.max(1, total)} />
      )}
      {cancel.isError && <Failure what="The job was not cancelled." error={cancel.error} />}
      {job.report.length > 0 && (
        <details>
          <summary>Report</summary>
          <JobReport
            report={job.report}
            linkTo={(id) => (
              <Link to="/runs/$runId" params={{ runId: id }} search={{}}>
                Run {id}
              </Link>
            )}
          />
        </details>
      )}
    </li>
  )
}

export const JobList = () => {
  const queries = useQueryClient()
  const jobs = (useQuery(latestJobs).data?.jobs ?? []).filter(({ kind }) => kinds[kind] !== undefined)
  const doneCount = jobs.reduce((sum, { progress }) => sum + progress.done, 0)
  const former = useRef(doneCount)
  // The list below shows what a job has done as it does it.
  useEffect(() => {
    if (former.current === doneCount) return
    former.current = doneCount
    void queries.invalidateQueries({ queryKey: ["runs"] })
  }, [doneCount, queries])
  if (jobs.length === 0) return null
  return (
    <section className="card" aria-labelledby="jobs">
      <h2 id="jobs">Jobs</h2>
      <ul className="plain deliveries">
        {jobs.map((job) => (
          <JobItem key={job.job_id} job={job} />
        ))}
      </ul>
    </section>
  )
}
