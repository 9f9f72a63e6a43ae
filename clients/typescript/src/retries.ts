// When a request is made again: as the errors of developer-api.md 1.5 and 1.6 say, and never where it could be carried out twice.
import { type ApiError, isApiError, TransportError } from "./errors.ts"

export interface RetryOptions {
  /** Requests beside the first one. Default 4. */
  readonly times?: number
  /** Before the second request, in milliseconds; doubled each time, with jitter. Default 250. */
  readonly firstMillis?: number
  /** No wait is longer; a service that asks for more gets its error thrown. Default 60,000, the window of the rate limit. */
  readonly atMostMillis?: number
}

export type Retries = Required<RetryOptions>
export const retriesOf = ({ times = 4, firstMillis = 250, atMostMillis = 60_000 }: RetryOptions = {}): Retries => ({
  times,
  firstMillis,
  atMostMillis
})

/** Seconds that the service asks to wait; undefined if it says none. */
export const secondsOf = ({
  body,
  headers
}: ApiError<"too_many_requests" | "service_unavailable">): number | undefined => {
  const retryAfter = body.retry_after ?? headers.get("Retry-After")
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter)
  return Number.isFinite(seconds) ? seconds : undefined
}

/**
 * Milliseconds to wait before the next attempt; null if the error goes to the caller.
 * @param tries requests that were made
 * @param repeatable true if the request may safely be made twice
 */
export const pauseAfter = (error: unknown, tries: number, repeatable: boolean, retries: Retries): number | null => {
  if (tries > retries.times) return null
  const backoff = retries.firstMillis * 2 ** (tries - 1) * (0.5 + Math.random() / 2)
  if (isApiError(error, "too_many_requests", "service_unavailable")) {
    const undone = error.code === "too_many_requests" || (error.body as { outcome?: string }).outcome === "not_done"
    if (!undone && !repeatable) return null
    const requestedSeconds = secondsOf(error)
    const millis =
      requestedSeconds === undefined ? backoff : requestedSeconds * 1000 + Math.random() * retries.firstMillis
    return requestedSeconds !== undefined && requestedSeconds * 1000 > retries.atMostMillis
      ? null
      : Math.min(millis, retries.atMostMillis)
  }
  const lost = error instanceof TransportError && (error.status === null || error.status >= 502)
  return lost && repeatable ? Math.min(backoff, retries.atMostMillis) : null
}

/** Ends early with the signal's reason. */
export const pause = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort)
      resolve()
    }, millis)
    if (signal?.aborted === true) onAbort()
    else signal?.addEventListener("abort", onAbort, { once: true })
  })
