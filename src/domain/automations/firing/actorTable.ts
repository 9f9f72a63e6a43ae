// Table of an app's automations actor for operators: counts and reasons.
import type { DetailLine } from "../../../engine/actors/ActorKind.ts"

export interface Counts {
  matched: number
  mismatched: number
  waiting: number
}

export const tableOf = (
  held: number,
  { matched, mismatched, waiting }: Counts,
  failed: ReadonlyArray<readonly [automationId: number, count: number]>
): ReadonlyArray<DetailLine> => [
  ...(held > 0 ? [{ what: "events in work", count: held, why: "filters and plain runs" }] : []),
  ...(matched > 0 ? [{ what: "runs since this activation began", count: matched, why: "" }] : []),
  ...(mismatched > 0 ? [{ what: "events without a run", count: mismatched, why: "filter" }] : []),
  ...(waiting > 0
    ? [{ what: "runs without a concurrency slot", count: waiting, why: "the organization's slots are in use" }]
    : []),
  ...failed.map(([id, count]) => ({
    what: `automation ${id}`,
    count,
    why: "failed runs in its last failing minute",
    failing: true
  }))
]
