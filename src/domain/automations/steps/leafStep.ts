// Executes a step with its type's runtime (model/Step.ts): inside the transaction (database), before it (outside), or both (prepared). A
// step's own error is rolled back and committed as a failure (decisions A1).
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Change, Committed, Committer } from "../commit/Committer.ts"
import { after, type Cursor, type PlanNode } from "../model/Plan.ts"
import { type StepFailed, type StepOutcome, StepRecordChange, type StepRuntime, success } from "../model/Step.ts"
import { type Gathered, onlyLog, rewind, sizesOf } from "../run/Gathered.ts"
import { answers, type RunContext } from "../run/RunContext.ts"
import type { Ending, RunTaken } from "../run/RunRow.ts"
import { nextTry } from "../run/retries.ts"
import { completed, exceptionOf, ledgerOf, logOf } from "../run/runEntries.ts"
import type { RunLimits } from "../run/runLimits.ts"
import { guarded, onStepFailed } from "../run/stepGuard.ts"
import { costs, logsNoSuccess } from "../run/stepKinds.ts"
import { lazyOf } from "./lazyCommit.ts"
import { type Pause, pauseBefore, type StepAttempt, triedAfter } from "./retryPause.ts"

export type LeafRuntime = Exclude<StepRuntime, { readonly kind: "each" }>
type Acted<A> = Effect.Effect<A, StepFailed | SqlError>

/** Drops the output of an earlier try whenever the transaction is repeated: effect and output are committed together. */
const anew = (gathered: Gathered, act: Acted<StepOutcome>): Acted<StepOutcome> => {
  const kept = sizesOf(gathered)
  return Effect.suspend(() => {
    rewind(gathered, kept)
    return act
  })
}

export const makeLeafStep = ({ overLimit }: RunLimits) =>
  Effect.fnUntraced(function* <E>(
    committer: Committer<E>,
    context: RunContext,
    node: PlanNode,
    cursor: Cursor,
    runtime: LeafRuntime,
    attempt: StepAttempt
  ): Effect.fn.Return<Cursor | Ending | null | Pause, Effect.Error<Committed<never, E>>> {
    const { type } = node.action
    const startedAt = yield* Clock.currentTimeMillis
    const loops = yield* context.loops(node, cursor.iteration)
    yield* context.hidden
    const { gathered, step } = context.step(node, cursor.iteration, {
      now: new Date(startedAt),
      loops,
      attempt: attempt.again
    })
    const next = after(node, cursor.iteration)
    let isLast = next === null && !answers(context)
    const price = costs(type) ? 1 : 0
    let ending: Ending = completed

    const changeOf = Effect.fnUntraced(function* (outcome: StepOutcome): Effect.fn.Return<Change> {
      const durationMillis = (yield* Clock.currentTimeMillis) - startedAt
      if (outcome.status !== "success") gathered.messages.push({ message: outcome.message, level: "info" })
      // The code behind the commit ends the run: the cancellation is in its row.
      if (outcome.status === "cancelled") isLast = false
      const isUnlogged = outcome.logsNothing === true || (outcome.status === "success" && logsNoSuccess(type))
      // The last step's commit ends the run. A step that exceeded the run's time limit is committed nevertheless.
      const limitEnding = isLast ? overLimit(context, false, durationMillis) : null
      ending = limitEnding ?? completed
      const recordId = context.run.record_id
      return {
        cursor: next,
        ledger: ledgerOf(node, cursor, "done", attempt.begun, null),
        logs: [
          ...(isUnlogged && gathered.messages.length === 0
            ? []
            : [
                logOf(node, outcome.status, gathered, {
                  at: cursor,
                  recordId,
                  millis: durationMillis,
                  attempt: attempt.begun
                })
              ]),
          ...exceptionOf(limitEnding)
        ],
        executedMs: durationMillis,
        credits: price,
        ending: isLast ? ending : null,
        lazy: lazyOf(context, node, isLast),
        gathered
      }
    })

    const inside = (act: Acted<StepOutcome>, record: StepRecordChange | null) =>
      Effect.suspend(() =>
        committer.act({ context, record, act: guarded(Effect.flatMap(anew(gathered, act), changeOf)) })
      )
    const outside = (outcome: StepOutcome) => committer.leave(context, guarded(changeOf(outcome)))
    type Settled = Effect.Effect<void, StepFailed | RunTaken | SqlError | E>
    const runPrepared = (rest: StepOutcome | StepRecordChange | Acted<StepOutcome>): Settled => {
      if (Effect.isEffect(rest)) return inside(rest, null)
      return rest instanceof StepRecordChange ? inside(Effect.succeed(success), rest) : outside(rest)
    }
    const runWhole = (): Settled => {
      if (runtime.kind === "prepared") return Effect.flatMap(guarded(runtime.run(step)), runPrepared)
      return node.kind === "outside"
        ? Effect.flatMap(guarded(runtime.run(step)), outside)
        : inside(runtime.run(step), null)
    }
    const failed = Effect.fnUntraced(function* (
      error: StepFailed
    ): Effect.fn.Return<Cursor | Ending | null | Pause, Effect.Error<Committed<never, E>>> {
      const logsOnly = onlyLog(gathered)
      const nextAttempt = nextTry(node.action.retry, error, attempt.failed)
      const durationMillis = (yield* Clock.currentTimeMillis) - startedAt
      if (nextAttempt !== null && overLimit(context, false, durationMillis) === null) {
        const { begun } = attempt
        const failedAttempt = {
          error,
          next: nextAttempt,
          gathered: logsOnly,
          startedAt,
          begun,
          result: triedAfter(attempt, nextAttempt)
        }
        return yield* pauseBefore(committer, context, node, cursor, failedAttempt)
      }
      const facts = { startedAt, attempt: attempt.begun, credits: price }
      return yield* committer.fail(context, node, cursor, error, logsOnly, facts)
    })
    return yield* Effect.map(runWhole(), (): Cursor | Ending | null | Pause => (isLast ? ending : next)).pipe(
      onStepFailed(failed)
    )
  })
