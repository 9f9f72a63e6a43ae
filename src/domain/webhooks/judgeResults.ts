// Judges the results of executions: the status of the delivery (decisions W1, W2, W5), and the failure streak of the hook. Pure.

import { type AttemptOutcome, outcomeColumns } from "./attempt.ts"
import type { DeliveryStatus } from "./Delivery.ts"
import type { DeliveryRow } from "./mailboxRows.ts"
import type { Written } from "./resultStatements.ts"
import { nextAttempt } from "./retry.ts"

export interface Result {
  readonly row: DeliveryRow
  readonly outcome: AttemptOutcome
}

/** Effect of the executions of one hook on its failure streak, in their order. */
export interface Tally {
  readonly hook_id: number
  /** Some succeeded. */
  readonly ok: boolean
  /** Failures before the first success. */
  readonly lead: number
  /** The longest row of failures after it. */
  readonly peak: number
  /** The row that it ended with, after a success. */
  readonly tail: number
}

export const talliesOf = (results: ReadonlyArray<Result>): ReadonlyArray<Tally> => {
  const tallies = new Map<number, Tally>()
  for (const { outcome, row } of results) {
    const tally = tallies.get(row.hook_id) ?? { hook_id: row.hook_id, ok: false, lead: 0, peak: 0, tail: 0 }
    const failureTail = tally.tail + 1
    tallies.set(
      row.hook_id,
      outcome.ok
        ? { ...tally, ok: true, tail: 0 }
        : tally.ok
          ? { ...tally, tail: failureTail, peak: Math.max(tally.peak, failureTail) }
          : { ...tally, lead: tally.lead + 1 }
    )
  }
  return [...tallies.values()]
}

/** @param active whether the hook is still verified after this execution */
const verdictOf = (
  { row, outcome }: Result,
  active: boolean,
  delays: ReadonlyArray<number>,
  random: number
): { readonly status: DeliveryStatus; readonly next: Date | null } => {
  if (outcome.ok) return { status: "delivered", next: null }
  if (!active) return { status: "withheld", next: null }
  const endedAt = outcome.attemptedOn.getTime() + outcome.latencyMillis
  const next = nextAttempt(outcome, row.tries + 1, row.hook.sending?.retry_seconds ?? delays, endedAt, random)
  return next === null ? { status: "failed", next } : { status: "retrying", next }
}

const writtenAs = ({ outcome, row }: Result, status: DeliveryStatus, next: Date | null): Written => ({
  hook_id: row.hook_id,
  event_id: row.event_id,
  record_id: row.record_id,
  ordered: row.ordered,
  attempt: row.num_attempts + 1,
  status,
  attempted_on: outcome.attemptedOn,
  ...outcomeColumns(outcome),
  next_attempt_on: next
})

/** The rows of a result, as the statements take them. */
export const writtenOf = (
  result: Result,
  active: boolean,
  delays: ReadonlyArray<number>,
  random: () => number
): Written => {
  const { next, status } = verdictOf(result, active, delays, random())
  return writtenAs(result, status, next)
}

/** The rows of a delivery that is not tried again, whatever its hook asks for. */
export const failedFor = (row: DeliveryRow, outcome: AttemptOutcome): Written =>
  writtenAs({ row, outcome }, "failed", null)
