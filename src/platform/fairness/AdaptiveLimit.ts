// Adapts a limit on concurrent work to what others bear (developer-api.md 7.11 rule 7: the rest waits). Slow starts lower the limit by a
// share. While starts are in time and the limit is reached, it grows by one in each round. Additive increase, multiplicative decrease, as
// TCP has it for packets and Netflix's concurrency-limits for calls.

export interface AdaptiveLimitOptions {
  readonly least: number
  readonly first: number
  readonly most: number
  /** Longest time in milliseconds that does not count as slow. */
  readonly slowMillis: number
}

export interface AdaptiveLimit {
  readonly limit: () => number
  /**
   * Reports that work begun at `from` was taken up, or given up, at `now`.
   * @param reached the limit was reached: otherwise a higher one would not have begun more
   */
  readonly saw: (sample: { readonly from: number; readonly now: number; readonly reached: boolean }) => void
}

const LESS = 0.8

export const makeAdaptiveLimit = ({ first, least, most, slowMillis }: AdaptiveLimitOptions): AdaptiveLimit => {
  let limit = first
  let lessened = Number.NEGATIVE_INFINITY
  return {
    limit: () => Math.floor(limit),
    saw: ({ from, now, reached }) => {
      if (now - from > slowMillis) {
        // Ignores work begun before the last decrease: it says nothing of the present limit.
        if (from < lessened) return
        limit = Math.max(least, limit * LESS)
        lessened = now
      } else if (reached) limit = Math.min(most, limit + 1 / limit)
    }
  }
}
