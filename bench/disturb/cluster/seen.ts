// Classifies requests that had to be repeated. The sender of the answer, if there was one, tells a fault of the service from a process that
// is gone.
import type { Unanswered } from "../../../demo/client.ts"

export interface Seen {
  /** Cut off: the process went away under them. */
  readonly cut: number
  /** The service's 503 with Retry-After: its database is away. */
  readonly away: number
  /** The proxy's 503: nobody was ready. */
  readonly unready: number
  /** Anything else: a fault. */
  readonly failed: ReadonlyArray<string>
}

/** Outcomes that a fault may bring besides answers. */
export type Met = Exclude<keyof Seen, "failed">
export const METS = ["cut", "away", "unready"] as const satisfies ReadonlyArray<Met>

/** No answer, and the proxy's words for it. */
const CUT = new Set([undefined, 502, 504])

export const seenIn = (unanswered: ReadonlyArray<Unanswered>): Seen => {
  const outcomes = { cut: 0, away: 0, unready: 0, failed: [] as Array<string> }
  for (const { method, path, status, told = false, why } of unanswered) {
    // The first try of one that was cut off may still hold its key.
    if (status === 409) continue
    if (CUT.has(status) && !told) outcomes.cut++
    else if (status !== 503) outcomes.failed.push(`${method} ${path}: ${why}`)
    else if (told) outcomes.away++
    else outcomes.unready++
  }
  return outcomes
}
