// Paces polls for work. A poll costs about the same for one row as for many. After a poll that found few, the next one waits in proportion
// to that poll's cost, so that more rows collect. On a machine with time to spare nobody waits; on a busy one polls are fewer and find
// more.

/** Most rows of a poll that is worth pacing. */
const FEW = 16
/** Multiple of a poll's duration between polls: they take a third of the time at most. */
const TIMES = 3
/** Longest interval between the beginnings of two polls. */
const MOST_MILLIS = 250

interface Look {
  readonly from: number
  readonly to: number
  readonly found: number
}

export interface PollPacing {
  readonly looked: (look: Look) => void
  /** Instant of the next poll, in milliseconds; long past if no pause is needed. */
  readonly next: () => number
}

export const makePollPacing = (): PollPacing => {
  let next = Number.NEGATIVE_INFINITY
  return {
    looked: ({ found, from, to }) => {
      next = found > FEW ? Number.NEGATIVE_INFINITY : from + Math.min(MOST_MILLIS, (to - from) * TIMES)
    },
    next: () => next
  }
}
