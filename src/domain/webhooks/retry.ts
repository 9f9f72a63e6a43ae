// When a failed delivery is tried again (decisions W2). Pure.
import { retryAfterMillis } from "../../platform/outbound/retryAfter.ts"

/** `Retry-After` is honoured up to here. */
const MAX_RETRY_AFTER_MILLIS = 3_600_000
/** Up to this share is added, so that retries after an outage do not arrive together. */
const JITTER = 0.2
/** The status that ends retries. */
const GONE = 410

export interface Failure {
  readonly status: number | null
  readonly retryAfter: string | undefined
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
  const askedMillis = retryAfterMillis(failure.retryAfter, now, MAX_RETRY_AFTER_MILLIS)
  return new Date(now + Math.round(Math.max(1000 * planned, askedMillis)))
}
