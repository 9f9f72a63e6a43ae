// Times of a run's steps, from their log: when each began, how long it took, how long the run waited before it. The log keeps the
// second in which a step ended and its exact duration; steps of a run follow one another, so none begins before the end of the last.

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

interface Entry {
  /** When the log took it, in ms since 1970. */
  readonly at: number
  readonly detail: Readonly<Record<string, unknown>> | null
}

const tookOf = ({ detail }: Entry): number => {
  const took = detail?.["duration_ms"]
  return typeof took === "number" && Number.isFinite(took) && took > 0 ? took : 0
}

/**
 * @param from when the run was requested, in ms; without it the timeline begins with its first step
 * @param to end of the run, where it is over
 */
export const timelineOf = (entries: ReadonlyArray<Entry>, from?: number, to?: number): Timeline => {
  const [first] = entries
  if (first === undefined) return { steps: [], length: 0 }
  const start = from ?? first.at - tookOf(first)
  let end = 0
  const steps = entries.map((entry) => {
    const took = tookOf(entry)
    const begin = Math.max(end, entry.at - start - took)
    const gap = begin - end
    end = begin + took
    return { begin, took, waited: gap > SECOND ? gap : 0 }
  })
  return { steps, length: Math.max(end, to === undefined ? 0 : to - start) }
}
