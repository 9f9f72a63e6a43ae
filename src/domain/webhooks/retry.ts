// When a failed delivery is tried again (decisions W2). Pure.

/** `Retry-After` is honoured up to here. */
const MAX_RETRY_AFTER_SECONDS = 3600
/** Up to this share is added, so that retries after an outage do not arrive together. */
const JITTER = 0.2
/** The status that ends retries. */
const GONE = 410

export interface Failure {
  readonly status: number | null
  readonly retryAfter: string | undefined
}

/** Seconds of a `Retry-After` header, in seconds or as an HTTP date; 0 when absent or unreadable. */
const retryAfterSeconds = (header: string | undefined, now: number): number => {
  if (header === undefined) return 0
  const text = header.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS) : 0
}

/**
 * @param tries failed attempts since the delivery was queued or replayed, this one included
 * @param delays seconds after the first, second, … failure
 * @param random from 0 to 1
 * @returns the instant of the next attempt, or `null` when there is none
 */
export const nextAttempt = (
  failure: Failure,
  tries: number,
  delays: ReadonlyArray<number>,
  now: number,
  random: number
): Date | null => {
  const delay = delays[tries - 1]
  if (delay === undefined || failure.status === GONE) return null
  const planned = delay * (1 + JITTER * random)
  return new Date(now + Math.round(1000 * Math.max(planned, retryAfterSeconds(failure.retryAfter, now))))
}
