// The latest jobs on runs: how far each has come, what became of its runs, and its report.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { client } from "../../api/client.ts"
import { jobList as texts } from "../../texts/runs/runs.ts"
import { Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import { JobReport } from "./JobReport.tsx"
import { isOpen, type Job, latestJobs } from "./jobQueries.ts"

/** Jobs that work on runs; others are shown where their work is. */
const kinds: Partial<Record<Job["kind"], string>> = texts.kinds

export const states = {
  pending: { tone: "", words: texts.states.pending.words },
  running: { tone: "warn", words: texts.states.running.words },
  completed: { tone: "good", words: texts.states.completed.words },
  failed: { tone: "bad", words: texts.states.failed.words },
  cancelled: { tone: "", words: texts.states.cancelled.words }
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
            {texts.doneOfTotalStartedTime(
              done,
              total,
              counts.length > 0 && ` · ${counts.join(", ")}`,
              <Time at={job.created_at} />
            )}
          </span>
        </div>
        {isOpen(job) && (
          <button type="button" className="quiet small" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {texts.cancelJob}
          </button>
        )}
      </div>
      {isOpen(job) && (
        <progress aria-label={texts.kindJobId(kinds[job.kind], job.job_id)} value={done} max={Math.max(1, total)} />
      )}
      {cancel.isError && <Failure what={texts.jobWasNotCancelled} error={cancel.error} />}
      {job.report.length > 0 && (
        <details>
          <summary>{texts.report}</summary>
          <JobReport
            report={job.report}
            linkTo={(id) => (
              <Link to="/runs/$runId" params={{ runId: id }} search={{}}>
                {texts.runId(id)}
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
      <h2 id="jobs">{texts.jobs}</h2>
      <ul className="plain deliveries">
        {jobs.map((job) => (
          <JobItem key={job.job_id} job={job} />
        ))}
      </ul>
    </section>
  )
}
