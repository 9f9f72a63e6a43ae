// Times of a run's steps, from their log: when each began, how long it took, how long the run waited before it. The log keeps the
// second in which a step ended and its exact duration; steps of a run follow one another, so none begins before the end of the last.
import { instantOf } from "../../ui/Time.tsx"
import type { LogEntry } from "./runQueries.ts"

export interface StepTime {
  /** Milliseconds from the beginning of the timeline. */
  readonly begin: number
  readonly took: number
  /** Milliseconds without a step before it; 0 where that is less than the log can tell. */
  readonly waited: number
}
export interface Timeline {
  readonly steps: ReadonlyArray<StepTime>
  readonly length: number
}

/** Gap that the seconds of the log can make of nothing. */
const SECOND = 1_000

type Entry = Pick<LogEntry, "detail" | "logged_at">

const tookOf = ({ detail }: Entry): number => {
  const took = detail?.duration_ms
  return typeof took === "number" && Number.isFinite(took) && took > 0 ? took : 0
}

/**
 * @param from when the run was requested; without it the timeline begins with its first step
 * @param to end of the run, where it is over
 */
export const timelineOf = (entries: ReadonlyArray<Entry>, from?: string, to?: string): Timeline => {
  const [first] = entries
  if (first === undefined) return { steps: [], length: 0 }
  const start = from === undefined ? instantOf(first.logged_at).getTime() - tookOf(first) : instantOf(from).getTime()
  let end = 0
  const steps = entries.map((entry) => {
    const took = tookOf(entry)
    const begin = Math.max(end, instantOf(entry.logged_at).getTime() - start - took)
    const gap = begin - end
    end = begin + took
    return { begin, took, waited: gap > SECOND ? gap : 0 }
  })
  return { steps, length: Math.max(end, to === undefined ? 0 : instantOf(to).getTime() - start) }
}
