// The steps of a run from top to bottom: how each went, how long it took, how often it was tried, what went in and came out.
import { useState } from "react"
import { duration } from "../../ui/duration.ts"
import { Time } from "../../ui/Time.tsx"
import type { RunWithLogs } from "./runWords.tsx"

type Entry = RunWithLogs["logs"][number]

const marks: Readonly<Record<Entry["status"], readonly [sign: string, words: string, tone: string]>> = {
  in_progress: ["…", "under way", "warn"],
  success: ["✓", "done", "good"],
  failure: ["!", "failed", "bad"],
  skipped: ["–", "left out", ""],
  cancelled: ["×", "cancelled", ""]
}

/** At once: a loop may have written ten thousand. */
const SHOWN = 200

const Values = ({ title, values }: { readonly title: string; readonly values: unknown }) => {
  if (typeof values !== "object" || values === null || Object.keys(values).length === 0) return null
  return (
    <>
      <h4>{title}</h4>
      <pre>{JSON.stringify(values, null, 2)}</pre>
    </>
  )
}

const Step = ({ entry }: { readonly entry: Entry }) => {
  const [sign, words, tone] = marks[entry.status]
  const { attempts, duration_ms, inputs, outputs } = (entry.detail ?? {}) as { [name: string]: unknown }
  const facts = [
    typeof duration_ms === "number" ? duration(duration_ms) : "",
    typeof attempts === "number" && attempts > 1 ? `${attempts} attempts` : "",
    entry.record_id === null ? "" : `record ${entry.record_id}`
  ].filter((fact) => fact !== "")
  const hasValues = [inputs, outputs].some((values) => Object.keys((values as object | undefined) ?? {}).length > 0)
  return (
    <li className="step">
      <span className={`mark ${tone}`}>
        <span aria-hidden="true">{sign}</span>
        <span className="unseen">{words}</span>
      </span>
      <div>
        <h3>{entry.label}</h3>
        <p className="muted">
          <Time at={entry.logged_at} full />
          {facts.map((fact) => ` · ${fact}`)}
        </p>
        {entry.messages.map(({ level, message }) => (
          <p key={message} className={level === "error" ? "error-line" : "said"}>
            {message}
          </p>
        ))}
        {hasValues && (
          <details>
            <summary>What went in and came out</summary>
            <Values title="In" values={inputs} />
            <Values title="Out" values={outputs} />
          </details>
        )}
      </div>
    </li>
  )
}

export const RunSteps = ({ logs }: { readonly logs: RunWithLogs["logs"] }) => {
  const [failedOnly, setFailedOnly] = useState(false)
  const [shown, setShown] = useState(SHOWN)
  const failures = logs.filter(({ status }) => status === "failure")
  const chosen = failedOnly ? failures : logs
  return (
    <section className="card" aria-labelledby="steps">
      <div className="head">
        <h2 id="steps">Steps</h2>
        {failures.length > 0 && (
          <div className="pick">
            <input id="failed-only" type="checkbox" checked={failedOnly} onChange={() => setFailedOnly(!failedOnly)} />
            <label htmlFor="failed-only">Only what failed ({failures.length})</label>
          </div>
        )}
      </div>
      {logs.length === 0 && <p className="muted">Nothing has happened yet.</p>}
      <ol className="steps">
        {chosen.slice(0, shown).map((entry) => (
          <Step key={entry.id} entry={entry} />
        ))}
      </ol>
      {chosen.length > shown && (
        <button type="button" className="quiet small" onClick={() => setShown(shown + SHOWN)}>
          Show {Math.min(SHOWN, chosen.length - shown)} more of {chosen.length}
        </button>
      )}
    </section>
  )
}
