// Decides whether a failed step is tried again, and when (developer-api.md 7.13 `retry`).
import type { StepFailed } from "../model/Step.ts"
import type { Retry } from "../schema/RetryPolicy.ts"

/** Response statuses that a later attempt may not get. */
const PASSING_STATUSES: ReadonlyArray<number> = [408, 425, 429, 500, 502, 503, 504]

const mayPass = ({ on_status = PASSING_STATUSES }: Retry, { passing, status }: StepFailed): boolean =>
  status === undefined ? passing === true : on_status.includes(status)

/** Number of failed attempts, and the pause after the last of them. */
export interface NextTry {
  readonly failed: number
  readonly attempts: number
  readonly pauseMillis: number
}

/** Returns the next attempt, or null if the step fails for good. @param before number of earlier attempts that failed */
export const nextTry = (retry: Retry | undefined, error: StepFailed, before: number): NextTry | null => {
  const failed = before + 1
  if (retry === undefined || failed >= retry.attempts || !mayPass(retry, error)) return null
  const plannedMillis = Math.min(retry.at_most_ms, retry.first_ms * retry.factor ** before)
  const askedMillis = Math.min(error.retryAfterMillis ?? 0, retry.retry_after_at_most_ms ?? 0)
  const pauseMillis = Math.round(Math.max(plannedMillis, askedMillis))
  return { failed, attempts: retry.attempts, pauseMillis }
}
