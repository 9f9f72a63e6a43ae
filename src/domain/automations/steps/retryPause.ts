// Pause between two attempts of an outside step (developer-api.md 7.13 `retry`). The log holds each failure, the step's ledger row the
// number of failures. Temporal waits for the pause, so that operators see the attempts (durable/RunDriver.ts).
import { Clock, Effect } from "effect"
import type { Committer, NotCommitted } from "../commit/Committer.ts"
import { StepFailed } from "../model/Step.ts"
import { logText } from "../run/logText.ts"
import type { RunStep } from "../run/RunContext.ts"
import { inWindow } from "../run/retryWindow.ts"
import type { LedgerRow } from "../run/runData.ts"
import { ledgerOf, logOf } from "../run/runEntries.ts"
import type { StepOutput } from "../run/StepOutput.ts"
import type { NextTry } from "../run/stepRetries.ts"

/** Attempt in progress. */
export interface StepAttempt {
  /** Number of times that the step has begun, attempts that a crash interrupted included. */
  readonly begun: number
  /** Number of times that this attempt has begun. */
  readonly again: number
  /** Number of earlier attempts that failed. */
  readonly failed: number
}

/** Maximum of beginnings without an end: such a step ends its executor each time, or takes longer than executors live. */
const BEGUN_AT_MOST = 10
export const wornOut = (begunAnew: number): StepFailed | null =>
  begunAnew < BEGUN_AT_MOST
    ? null
    : new StepFailed({ message: `The step began ${BEGUN_AT_MOST} times and never came to its end.` })

export const firstAttempt: StepAttempt = { begun: 1, again: 1, failed: 0 }

/** Part of the ledger row about failed attempts. */
interface Tried {
  readonly tried: { readonly failed: number; readonly begun: number }
}

export const attemptAfter = (known: LedgerRow | null): StepAttempt => {
  const { begun, failed } = (known?.result as Tried | null | undefined)?.tried ?? { begun: 0, failed: 0 }
  const attempts = (known?.attempts ?? 0) + 1
  return { begun: attempts, again: attempts - begun, failed }
}

export const triedAfter = ({ begun }: StepAttempt, { failed }: NextTry): Tried => ({ tried: { failed, begun } })

/** Pause of the run before the next attempt. */
export interface Pause {
  readonly until: Date
  /** Text for operators, without secrets. */
  readonly cause: string
}

export const isPause = (next: unknown): next is Pause => typeof next === "object" && next !== null && "until" in next

/** Commits the failed attempt; its credits are counted at the step's end. */
export const pauseBefore = Effect.fnUntraced(function* <E>(
  { save }: Committer<E>,
  step: RunStep,
  failure: {
    readonly error: StepFailed
    readonly next: NextTry
    readonly gathered: StepOutput
    readonly startedAt: number
    readonly begun: number
    /** Value for the ledger row. */
    readonly result: unknown
  }
): Effect.fn.Return<Pause, NotCommitted<E>> {
  const { context, cursor, node } = step
  const { begun, error, gathered, next, result, startedAt } = failure
  const nowMillis = yield* Clock.currentTimeMillis
  const earliest = nowMillis + next.pauseMillis
  const { window } = node.action.retry ?? {}
  const until = new Date(window === undefined ? earliest : inWindow(window, context.revision.timezone, earliest))
  const failureMessage = `Attempt ${next.failed} of ${next.attempts} failed: ${error.message}`
  const goesOn =
    until.getTime() === earliest
      ? `The next is made after ${next.pauseMillis / 1_000} s, at ${until.toISOString()}.`
      : `The next is made at ${until.toISOString()}, when the step's window opens.`
  gathered.messages.push({ message: failureMessage, level: "warn" }, { message: goesOn, level: "info" })
  yield* save(context, {
    cursor,
    ledger: ledgerOf(step, "started", begun, result),
    logs: [logOf(step, "in_progress", gathered, nowMillis - startedAt, begun)],
    executedMs: nowMillis - startedAt,
    waits: { why: "retry", until }
  })
  return { until, cause: logText(`${failureMessage} ${goesOn}`, gathered.secrets) }
})
