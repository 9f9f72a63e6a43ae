// An import that goes on in the service: its progress, which survives a reload, and at the end its report.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect } from "react"
import { client } from "../../../api/client.ts"
import { againWhile } from "../../../api/goingOn.ts"
import type { App } from "../../../api/types.ts"
import { Failure } from "../../../ui/states.tsx"
import { isOpen, type Job } from "../../runs/jobQueries.ts"

const EVERY_MILLIS = 1_000
/** Lines of the report that are shown; the rest is behind them in the answer. */
const SHOWN = 20

const endWords = {
  completed: "Imported.",
  failed: "The import failed.",
  cancelled: "The import was cancelled."
} as const

const rowWords = (count: number, words: string) => `${count.toLocaleString()} ${words}`

const Counts = ({ job }: { readonly job: Job }) => {
  const { cells_left_empty = 0, created = 0, options_added = 0, skipped = 0, updated = 0 } = job.counts
  const parts = [
    rowWords(created, created === 1 ? "record created" : "records created"),
    ...(updated === 0 ? [] : [rowWords(updated, "updated")]),
    ...(skipped === 0 ? [] : [rowWords(skipped, skipped === 1 ? "row left out" : "rows left out")]),
    ...(cells_left_empty === 0
      ? []
      : [rowWords(cells_left_empty, cells_left_empty === 1 ? "value left empty" : "values left empty")]),
    ...(options_added === 0 ? [] : [rowWords(options_added, options_added === 1 ? "option added" : "options added")])
  ]
  return (
    <p role="status">
      {!isOpen(job) && <strong>{endWords[job.status as keyof typeof endWords]} </strong>}
      {parts.join(", ")}.
    </p>
  )
}

const Report = ({ job: { file, report } }: { readonly job: Job }) => (
  <>
    {report.length > 0 && (
      <details>
        <summary>Report</summary>
        <ul className="plain">
          {report.slice(0, SHOWN).map(({ id, message }) => (
            <li key={`${id} ${message}`}>
              {id !== null && `Line ${id}: `}
              {message}
            </li>
          ))}
          {report.length > SHOWN && <li className="muted">{rowWords(report.length - SHOWN, "more lines")}</li>}
        </ul>
      </details>
    )}
    {file !== null && (
      <p>
        <a href={file.link}>Download the rows that were left out</a>
      </p>
    )}
  </>
)

interface ImportJobProps {
  readonly app: App
  readonly jobId: number
}
export const ImportJob = ({ app, jobId }: ImportJobProps) => {
  const queries = useQueryClient()
  const jobQuery = useQuery({
    queryKey: ["jobs", jobId],
    queryFn: ({ signal }) => client.jobs.get({ job_id: jobId }, { signal }),
    refetchInterval: ({ state }) => againWhile(state.data === undefined || isOpen(state.data), EVERY_MILLIS)
  })
  const cancel = useMutation({
    mutationFn: () => client.jobs.cancel({ job_id: jobId }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["jobs", jobId] })
  })
  const job = jobQuery.data
  const isOver = job !== undefined && !isOpen(job)
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: ["records", app.app_id] })
  }, [app.app_id, isOver, queries])
  if (jobQuery.isError) return <Failure what="The import is not known any more." error={jobQuery.error} />
  if (job === undefined) return null
  const { done, total } = job.progress
  return (
    <section className="card" aria-label="Import">
      <progress className="import-progress" aria-label="Import" max={Math.max(1, total)} value={done} />
      <Counts job={job} />
      {!isOver && (
        <p className="muted">
          {done.toLocaleString()} of about {total.toLocaleString()} rows. It goes on when this page is closed.
        </p>
      )}
      {cancel.isError && !isOver && <Failure what="The import was not cancelled." error={cancel.error} />}
      {isOver && <Report job={job} />}
      <div className="buttons">
        {isOver ? (
          <>
            <Link className="button" to="/apps/$appId" params={{ appId: String(app.app_id) }} search={{}}>
              Open records
            </Link>
            <Link className="button quiet" to="/apps/$appId/import" params={{ appId: String(app.app_id) }} search={{}}>
              Import another file
            </Link>
          </>
        ) : (
          <button type="button" className="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel import
          </button>
        )}
      </div>
    </section>
  )
}
