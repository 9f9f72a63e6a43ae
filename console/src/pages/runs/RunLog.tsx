// Entries of a run's log from top to bottom: how each went, how long it took, how often it was tried, what went in and came out. Only what
// is seen is drawn, further pages are asked for before they are reached.
import { useQuery } from "@tanstack/react-query"
import { useWindowVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useMemo, useRef, useState } from "react"
import { runLog as texts } from "../../texts/runs/run.ts"
import { duration } from "../../ui/duration.ts"
import { JsonView } from "../../ui/json/JsonView.tsx"
import { Asked } from "../../ui/states.tsx"
import { instantOf, Time } from "../../ui/Time.tsx"
import { WithSecrets } from "../../ui/WithSecrets.tsx"
import { type LogEntry, type LogPart, loopsOf, runOf, useLog } from "./runQueries.ts"
import { StepBar } from "./StepBar.tsx"
import { type StepTime, type Timeline, timelineOf } from "./timeline.ts"

const marks: Readonly<Record<LogEntry["status"], readonly [sign: string, words: string, tone: string]>> = {
  in_progress: ["…", texts.underWay, "warn"],
  success: ["✓", "done", "good"],
  failure: ["!", "failed", "bad"],
  skipped: ["–", texts.leftOut, ""],
  cancelled: ["×", "cancelled", ""]
}

/** Height of an entry of one line, about, in pixels. */
const ENTRY = 76
/** Entries before the end at which the next page is asked for. */
const AHEAD = 40

const isEmpty = (values: unknown) => typeof values !== "object" || values === null || Object.keys(values).length === 0

const Values = ({ inputs, outputs }: { readonly inputs: unknown; readonly outputs: unknown }) => {
  const [isOpen, setOpen] = useState(false)
  if (isEmpty(inputs) && isEmpty(outputs)) return null
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.whatWentInAndCame}</summary>
      {isOpen &&
        [
          { title: texts.in, name: texts.whatWentIn, values: inputs },
          { title: texts.out, name: texts.whatCameOut, values: outputs }
        ]
          .filter(({ values }) => !isEmpty(values))
          .map(({ name, title, values }) => (
            <div key={title}>
              <h4>{title}</h4>
              <JsonView name={name} value={values} />
            </div>
          ))}
    </details>
  )
}

interface StepProps {
  readonly entry: LogEntry
  readonly time: StepTime
  readonly length: number
}
const Step = ({ entry, length, time }: StepProps) => {
  const [sign, words, tone] = marks[entry.status]
  const { attempts, duration_ms, inputs, outputs } = (entry.detail ?? {}) as { [name: string]: unknown }
  const facts = [
    typeof duration_ms === "number" ? duration(duration_ms) : "",
    time.waited > 0 ? texts.afterAWaitOfDuration(duration(time.waited)) : "",
    typeof attempts === "number" && attempts > 1 ? texts.attempts(attempts) : "",
    entry.iteration === undefined ? "" : texts.itemIteration(entry.iteration.map((item) => item + 1).join(", ")),
    entry.record_id === null ? "" : texts.recordId(entry.record_id)
  ].filter((fact) => fact !== "")
  return (
    <>
      <span className={`mark ${tone}`}>
        <span aria-hidden="true">{sign}</span>
        <span className="unseen">{words}</span>
      </span>
      <div>
        <div className="step-line">
          <h3>{entry.label}</h3>
          <StepBar time={time} length={length} tone={tone} />
        </div>
        <p className="muted">
          <Time at={entry.logged_at} seconds />
          {facts.map((fact) => ` · ${fact}`)}
        </p>
        {entry.messages.map(({ level, message }) => (
          <p key={message} className={level === "error" ? "error-line" : "said"}>
            <WithSecrets text={message} />
          </p>
        ))}
        <Values inputs={inputs} outputs={outputs} />
      </div>
    </>
  )
}

interface EntriesProps {
  readonly entries: ReadonlyArray<LogEntry>
  readonly timeline: Timeline
  readonly more: (() => void) | undefined
}
const Entries = ({ entries, more, timeline }: EntriesProps) => {
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
          <Step entry={entries[index]!} time={timeline.steps[index]!} length={timeline.length} />
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
const millisOf = (text: string) => instantOf(text).getTime()

/** Time of the run, or of one item of a loop; entries that are only some of the run's have gaps that are no waits. */
const useTimeline = (runId: string, part: LogPart, entries: ReadonlyArray<LogEntry>): Timeline => {
  const run = useQuery(runOf(runId)).data
  const hasLoops = (useQuery(loopsOf(runId, {})).data?.loops.length ?? 0) > 0
  const { steps, length } = useMemo(() => {
    const timed = entries.map(({ detail, logged_at }) => ({ at: millisOf(logged_at), detail }))
    return part.iteration !== undefined || run === undefined
      ? timelineOf(timed)
      : timelineOf(timed, millisOf(run.created_at), run.completed_at === null ? undefined : millisOf(run.completed_at))
  }, [entries, part.iteration, run])
  const isPart = part.status !== undefined || (part.outside_loops === true && hasLoops)
  return isPart ? { steps: steps.map((step) => ({ ...step, waited: 0 })), length } : { steps, length }
}

export const RunLog = ({ nothing, part, runId }: RunLogProps) => {
  const { entries, first, more } = useLog(runId, part)
  const timeline = useTimeline(runId, part, entries)
  return (
    <Asked query={first} failed={texts.loadingTheStepsFailed}>
      {() =>
        entries.length === 0 ? (
          <p className="muted">{nothing}</p>
        ) : (
          <Entries entries={entries} timeline={timeline} more={more} />
        )
      }
    </Asked>
  )
}
