// Reads `Retry-After` of an answer (RFC 9110 10.2.3): seconds, or an HTTP date.

/**
 * Milliseconds from `now` until the instant that the header names, at most `most`; 0 when it is absent, unreadable or over.
 * @param now milliseconds since the epoch
 */
export const retryAfterMillis = (header: string | undefined, now: number, most: number): number => {
  if (header === undefined) return 0
  const text = header.trim()
  const millis = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(millis) ? 0 : Math.min(Math.max(millis, 0), most)
}
