// A look for work costs about the same for one piece of it as for many. After a look that found few, the next one lets others gather for
// as long as that look was dear: on a machine with time to spare nobody waits, on a busy one looks are fewer and find more.

/** Found no more than this: worth gathering. */
const FEW = 16
/** Looks take a third of the time at most. */
const TIMES = 3
/** Whatever a look took, the next one begins so long after it began. */
const MOST_MILLIS = 250

interface Look {
  readonly from: number
  readonly to: number
  readonly found: number
}

export interface Gathering {
  readonly looked: (look: Look) => void
  /** The instant of the next look, in milliseconds; long past where nothing is to gather. */
  readonly next: () => number
}

export const makeGathering = (): Gathering => {
  let next = Number.NEGATIVE_INFINITY
  return {
    looked: ({ found, from, to }) => {
      next = found > FEW ? Number.NEGATIVE_INFINITY : from + Math.min(MOST_MILLIS, (to - from) * TIMES)
    },
    next: () => next
  }
}
