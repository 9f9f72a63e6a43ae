// Low watermark of the outbox: the least event id that a look asks for. Index entries of deleted events stay until the next vacuum, a
// hundred thousand in a busy minute. A look that begins before them passes over every one of them (docs/architecture.md, "The relay looks
// where events are").

/**
 * Ids below the watermark that a look still covers: an event may commit later than events with greater ids, since its transaction drew its
 * id earlier.
 */
const MARGIN = 1_000

/** Range of the waiting events that a look saw. */
interface Seen {
  readonly oldest: number | null
  readonly newest: number | null
}

export const makeLowWatermark = () => {
  let next = 0
  let newest = 0
  let isWhole = true
  return {
    /** Least id that a look asks for. */
    from: () => (isWhole ? 0 : Math.max(0, next - MARGIN)),
    /** @param from least id that the look asked for */
    looked: (seen: Seen, from: number) => {
      // Falls back if the look was one of everything: a restored database goes on with lesser ids.
      newest = from === 0 ? (seen.newest ?? newest) : Math.max(newest, seen.newest ?? 0)
      next = seen.oldest ?? newest + 1
      if (from === 0) isWhole = false
    },
    /** Makes the next look one of everything: it finds what was committed later than the margin allows. */
    whole: () => {
      isWhole = true
    }
  }
}
