// An import that goes on in the service: its progress, which survives a reload, and at the end its report.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect } from "react"
import { client } from "../../../api/client.ts"
import { againWhile } from "../../../api/goingOn.ts"
import type { App } from "../../../api/types.ts"
import { importJob as texts } from "../../../texts/records/csv.ts"
import { Failure } from "../../../ui/states.tsx"
import { isOpen, type Job } from "../../runs/jobQueries.ts"

const EVERY_MILLIS = 1_000
/** Lines of the report that are shown; the rest is behind them in the answer. */
const SHOWN = 20

const endWords = texts.endWords

const rowWords = (count: number, words: string) => `${count.toLocaleString()} ${words}`

const Counts = ({ job }: { readonly job: Job }) => {
  const { cells_left_empty = 0, created = 0, options_added = 0, skipped = 0, updated = 0 } = job.counts
  const parts = [
    rowWords(created, texts.recordsCreated(created)),
    ...(updated === 0 ? [] : [rowWords(updated, texts.updated)]),
    ...(skipped === 0 ? [] : [rowWords(skipped, texts.rowsLeftOut(skipped))]),
    ...(cells_left_empty === 0 ? [] : [rowWords(cells_left_empty, texts.valuesLeftEmpty(cells_left_empty))]),
    ...(options_added === 0 ? [] : [rowWords(options_added, texts.optionsAdded(options_added))])
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
        <summary>{texts.report}</summary>
        <ul className="plain">
          {report.slice(0, SHOWN).map(({ id, message }) => (
            <li key={`${id} ${message}`}>
              {id !== null && texts.lineId(id)}
              {message}
            </li>
          ))}
          {report.length > SHOWN && <li className="muted">{rowWords(report.length - SHOWN, texts.moreLines)}</li>}
        </ul>
      </details>
    )}
    {file !== null && (
      <p>
        <a href={file.link}>{texts.downloadTheRows}</a>
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
  if (jobQuery.isError) return <Failure what={texts.importIsNotKnownAny} error={jobQuery.error} />
  if (job === undefined) return null
  const { done, total } = job.progress
  return (
    <section className="card" aria-label={texts.import}>
      <progress className="import-progress" aria-label={texts.import} max={Math.max(1, total)} value={done} />
      <Counts job={job} />
      {!isOver && <p className="muted">{texts.doneOfAboutTotalRows(done.toLocaleString(), total.toLocaleString())}</p>}
      {cancel.isError && !isOver && <Failure what={texts.importWasNotCancelled} error={cancel.error} />}
      {isOver && <Report job={job} />}
      <div className="buttons">
        {isOver ? (
          <>
            <Link className="button" to="/apps/$appId" params={{ appId: String(app.app_id) }} search={{}}>
              {texts.openRecords}
            </Link>
            <Link className="button quiet" to="/apps/$appId/import" params={{ appId: String(app.app_id) }} search={{}}>
              {texts.importAnotherFile}
            </Link>
          </>
        ) : (
          <button type="button" className="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {texts.cancelImport}
          </button>
        )}
      </div>
    </section>
  )
}
