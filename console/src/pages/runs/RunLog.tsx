// Entries of a run's log from top to bottom: how each went, how long it took, how often it was tried, what went in and came out. Only what
// is seen is drawn, further pages are asked for before they are reached.
import { useWindowVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useRef } from "react"
import { duration } from "../../ui/duration.ts"
import { Asked } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { type LogEntry, type LogPart, useLog } from "./runQueries.ts"
import { WithSecrets } from "./WithSecrets.tsx"

const marks: Readonly<Record<LogEntry["status"], readonly [sign: string, words: string, tone: string]>> = {
  in_progress: ["…", "under way", "warn"],
  success: ["✓", "done", "good"],
  failure: ["!", "failed", "bad"],
  skipped: ["–", "left out", ""],
  cancelled: ["×", "cancelled", ""]
}

/** Height of an entry of one line, about, in pixels. */
const ENTRY = 76
/** Entries before the end at which the next page is asked for. */
const AHEAD = 40

const Values = ({ title, values }: { readonly title: string; readonly values: unknown }) => {
  if (typeof values !== "object" || values === null || Object.keys(values).length === 0) return null
  return (
    <>
      <h4>{title}</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <pre tabIndex={0}>
        <WithSecrets text={JSON.stringify(values, null, 2)} />
      </pre>
    </>
  )
}

const Step = ({ entry }: { readonly entry: LogEntry }) => {
  const [sign, words, tone] = marks[entry.status]
  const { attempts, duration_ms, inputs, outputs } = (entry.detail ?? {}) as { [name: string]: unknown }
  const facts = [
    typeof duration_ms === "number" ? duration(duration_ms) : "",
    typeof attempts === "number" && attempts > 1 ? `${attempts} attempts` : "",
    entry.iteration === undefined ? "" : `item ${entry.iteration.map((item) => item + 1).join(", ")}`,
    entry.record_id === null ? "" : `record ${entry.record_id}`
  ].filter((fact) => fact !== "")
  const hasValues = [inputs, outputs].some((values) => Object.keys((values as object | undefined) ?? {}).length > 0)
  return (
    <>
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
            <WithSecrets text={message} />
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
    </>
  )
}

interface EntriesProps {
  readonly entries: ReadonlyArray<LogEntry>
  readonly more: (() => void) | undefined
}
const Entries = ({ entries, more }: EntriesProps) => {
  const list = useRef<HTMLOListElement>(null)
  const virtual = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => ENTRY,
    overscan: 10,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => entries[index]!.id
  })
  const virtualItems = virtual.getVirtualItems()
  const lastIndex = virtualItems.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastIndex >= entries.length - AHEAD) more?.()
  }, [lastIndex, entries.length, more])
  const spaceBefore = (virtualItems[0]?.start ?? 0) - (virtualItems.length === 0 ? 0 : virtual.options.scrollMargin)
  const spaceAfter = virtual.getTotalSize() + virtual.options.scrollMargin - (virtualItems.at(-1)?.end ?? 0)
  return (
    <ol ref={list} className="steps" style={{ paddingTop: spaceBefore, paddingBottom: Math.max(0, spaceAfter) }}>
      {virtualItems.map(({ index, key }) => (
        <li
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          className={index === entries.length - 1 ? "step last" : "step"}
          aria-setsize={more === undefined ? entries.length : -1}
          aria-posinset={index + 1}
        >
          <Step entry={entries[index]!} />
        </li>
      ))}
    </ol>
  )
}

interface RunLogProps {
  readonly runId: string
  readonly part: LogPart
  readonly nothing: string
}
export const RunLog = ({ nothing, part, runId }: RunLogProps) => {
  const { entries, first, more } = useLog(runId, part)
  return (
    <Asked query={first} what="the steps">
      {() => (entries.length === 0 ? <p className="muted">{nothing}</p> : <Entries entries={entries} more={more} />)}
    </Asked>
  )
}
