// The look at a file and its import: how far it is, what is refused and why, and that it can be stopped and taken up again.
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { users } from "../../../api/queries.ts"
import type { App } from "../../../api/types.ts"
import { BOM, type CsvRow, csvOf } from "../../../ui/csvText.ts"
import { download } from "../../../ui/download.ts"
import { Failure } from "../../../ui/states.tsx"
import { peopleNames } from "./csvField.ts"
import type { CsvFormat } from "./csvFile.ts"
import type { DateReading } from "./dateTexts.ts"
import { begun, type Job, KEPT, look, type Progress, write } from "./importing.ts"
import type { Mapping } from "./mapping.ts"

type Phase = "ready" | "looking" | "looked" | "writing" | "stopped" | "done"

interface ImportRunProps {
  readonly app: App
  readonly file: File
  readonly format: CsvFormat
  readonly head: CsvRow
  readonly mapping: Mapping
  readonly reading: DateReading
  readonly setBusy: (busy: boolean) => void
}

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("")

const Refused = ({ head, progress, name }: { head: CsvRow; progress: Progress; name: string }) => {
  const { refused } = progress
  if (refused.length === 0) return null
  return (
    <details>
      <summary>
        {refused.length === KEPT
          ? `${KEPT.toLocaleString()} refused rows and more`
          : `${refused.length.toLocaleString()} refused ${refused.length === 1 ? "row" : "rows"}`}
      </summary>
      <ul className="plain">
        {refused.slice(0, 20).map(({ line, why }) => (
          <li key={line}>
            Line {line}: {why}
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="quiet small"
        onClick={() =>
          download(`refused ${name}`, [
            BOM,
            csvOf([["Line", "Why", ...head], ...refused.map(({ cells, line, why }) => [String(line), why, ...cells])])
          ])
        }
      >
        Download refused rows
      </button>
    </details>
  )
}

export const ImportRun = ({ app, file, format, head, mapping, reading, setBusy }: ImportRunProps) => {
  const people = useQuery(users)
  const queries = useQueryClient()
  const [phase, setPhase] = useState<Phase>("ready")
  const [total, setTotal] = useState(0)
  const [progress, setProgress] = useState(begun)
  const [error, setError] = useState<unknown>()
  const [key] = useState(newKey)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const active = phase === "looking" || phase === "writing"
  useEffect(() => {
    setBusy(active)
    if (phase !== "writing") return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", warn)
    return () => window.removeEventListener("beforeunload", warn)
  }, [active, phase, setBusy])

  const job = (): Job => ({
    app,
    file,
    format,
    head,
    mapping,
    key,
    context: { ...reading, person: peopleNames(people.data?.users ?? []) }
  })
  const go = async (during: Phase, work: (signal: AbortSignal) => Promise<Progress>, after: Phase) => {
    const control = new AbortController()
    stop.current = control
    setError(undefined)
    setPhase(during)
    try {
      const lastProgress = await work(control.signal)
      setProgress(lastProgress)
      setPhase(after)
      return lastProgress
    } catch (cause) {
      if (!control.signal.aborted) setError(cause)
      setPhase(during === "looking" ? "ready" : "stopped")
      return undefined
    } finally {
      if (during === "writing") await queries.invalidateQueries({ queryKey: ["records", app.app_id] })
    }
  }
  const check = async () => {
    const lastProgress = await go("looking", (signal) => look(job(), setProgress, signal), "looked")
    if (lastProgress !== undefined) setTotal(lastProgress.rows)
  }
  const run = () => {
    const from = phase === "stopped" ? progress : begun
    return go("writing", (signal) => write(job(), from, setProgress, signal), "done")
  }
  const mapped = mapping.some((field) => field !== undefined)
  const { empty, refused, rows, waitsUntil, written } = progress
  const unclear = refused.filter(({ related }) => related === true).length
  return (
    <section className="card" aria-label="Import">
      {(phase === "ready" || phase === "looking") && (
        <button type="button" disabled={active || !mapped || !people.isSuccess} onClick={() => void check()}>
          Check the file
        </button>
      )}
      {phase === "looking" && <p role="status">{rows.toLocaleString()} rows were looked at.</p>}
      {active && waitsUntil !== undefined && (
        <p className="muted">
          The service takes so much a minute: it goes on at {new Date(waitsUntil).toLocaleTimeString()}.
        </p>
      )}
      {phase === "looked" && (
        <>
          <p role="status">
            <strong>{(total - refused.length).toLocaleString()}</strong> of {total.toLocaleString()} rows can be
            imported.
            {empty > 0 && ` ${empty.toLocaleString()} empty ${empty === 1 ? "row is" : "rows are"} left out.`}
          </p>
          {unclear > 0 && (
            <p className="note warn">
              {unclear === 1
                ? "1 row names a related record that is not there, or not clear: it would be left out."
                : `${unclear.toLocaleString()} rows name related records that are not there, or not clear: they would be left out.`}
            </p>
          )}
          <Refused head={head} progress={progress} name={file.name} />
          <button type="button" disabled={refused.length >= total} onClick={() => void run()}>
            Import {(total - refused.length).toLocaleString()} {total - refused.length === 1 ? "row" : "rows"}
          </button>
        </>
      )}
      {(phase === "writing" || phase === "stopped" || phase === "done") && (
        <>
          <progress className="import-progress" aria-label="Import" max={total} value={rows} />
          <p role="status">
            {written.toLocaleString()} of {total.toLocaleString()} rows were imported
            {refused.length > 0 && `, ${refused.length.toLocaleString()} refused`}.
            {phase === "stopped" && " It was stopped."}
          </p>
          {error !== undefined && <Failure what="The import was interrupted." error={error} />}
          <Refused head={head} progress={progress} name={file.name} />
          <div className="buttons">
            {phase === "writing" && (
              <button type="button" className="quiet" onClick={() => stop.current?.abort()}>
                Stop
              </button>
            )}
            {phase === "stopped" && (
              <button type="button" onClick={() => void run()}>
                Go on
              </button>
            )}
            {phase === "done" && (
              <Link className="button" to="/apps/$appId" params={{ appId: String(app.app_id) }} search={{}}>
                Open records
              </Link>
            )}
          </div>
        </>
      )}
    </section>
  )
}
