// Executes a step with its type's runtime (model/Step.ts): inside the transaction (database), before it (outside), or both (prepared). A
// step's own error is rolled back and committed as a failure (decisions A1).
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Change, Committed, Committer, NotCommitted } from "../commit/Committer.ts"
import { after, type PlanNode } from "../model/Plan.ts"
import { type StepFailed, type StepOutcome, StepRecordChange, type StepRuntime, success } from "../model/Step.ts"
import { answers, isPlain, type RunContext, type RunStep } from "../run/RunContext.ts"
import type { Commit, Ending, Next } from "../run/RunRow.ts"
import { completed, exceptionOf, ledgerOf, logOf } from "../run/runEntries.ts"
import type { RunLimits } from "../run/runLimits.ts"
import { onlyLog, rewind, type StepOutput, sizesOf } from "../run/StepOutput.ts"
import { guarded, onStepFailed } from "../run/stepGuard.ts"
import { costs, logsNoSuccess } from "../run/stepKinds.ts"
import { nextTry } from "../run/stepRetries.ts"
import { type Pause, pauseBefore, type StepAttempt, triedAfter } from "./retryPause.ts"

export type LeafRuntime = Exclude<StepRuntime, { readonly kind: "each" }>
type Acted<A> = Effect.Effect<A, StepFailed | SqlError>

/**
 * Decides which commits of steps need not wait for the disk (docs/architecture/runs.md). A crash of the database server may lose a database
 * step, since nothing outside has seen it, and it is executed again. The same holds for the end of a run, unless Temporal or a caller
 * learns of it.
 */
const lazyOf = (context: RunContext, { action, kind }: PlanNode, last: boolean): Commit["lazy"] => {
  const { type } = context.revision.definition.trigger ?? {}
  const awaited = !isPlain(context) || type === "webhook_received" || type === "weblink_clicked"
  if (kind !== "database" || (last && awaited)) return null
  return { apps: action.config["trigger_webhooks"] === true ? [action.config["app_id"] ?? context.run.app_id] : [] }
}

/** Drops the output of an earlier try whenever the transaction is repeated: effect and output are committed together. */
const anew = (gathered: StepOutput, act: Acted<StepOutcome>): Acted<StepOutcome> => {
  const kept = sizesOf(gathered)
  return Effect.suspend(() => {
    rewind(gathered, kept)
    return act
  })
}

export const makeLeafStep = ({ overLimit }: RunLimits) =>
  Effect.fnUntraced(function* <E>(
    committer: Committer<E>,
    runStep: RunStep,
    runtime: LeafRuntime,
    attempt: StepAttempt
  ): Effect.fn.Return<Next | Pause, NotCommitted<E>> {
    const { context, cursor, node } = runStep
    const { type } = node.action
    const startedAt = yield* Clock.currentTimeMillis
    const { gathered, step } = yield* context.begin(node, cursor.iteration, startedAt, attempt.again)
    const next = after(node, cursor.iteration)
    let isLast = next === null && !answers(context)
    const price = costs(type) ? 1 : 0
    let ending: Ending = completed

    const changeOf = Effect.fnUntraced(function* (outcome: StepOutcome): Effect.fn.Return<Change> {
      const durationMillis = (yield* Clock.currentTimeMillis) - startedAt
      if (outcome.status !== "success") gathered.messages.push({ message: outcome.message, level: "info" })
      // The code behind the commit ends the run: the cancellation is in its row.
      if (outcome.status === "cancelled") isLast = false
      const mayBeLeftOut = outcome.logsNothing === true || (outcome.status === "success" && logsNoSuccess(type))
      const isLogged = !mayBeLeftOut || gathered.messages.length > 0
      // The last step's commit ends the run. A step that exceeded the run's time limit is committed nevertheless.
      const limitEnding = isLast ? overLimit(context, false, durationMillis) : null
      ending = limitEnding ?? completed
      return {
        cursor: next,
        ledger: ledgerOf(runStep, "done", attempt.begun),
        logs: [
          ...(isLogged ? [logOf(runStep, outcome.status, gathered, durationMillis, attempt.begun)] : []),
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
    type Settled = Committed<void, StepFailed | E>
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
    const failed = Effect.fnUntraced(function* (error: StepFailed): Effect.fn.Return<Next | Pause, NotCommitted<E>> {
      const logsOnly = onlyLog(gathered)
      const nextAttempt = nextTry(node.action.retry, error, attempt.failed)
      const durationMillis = (yield* Clock.currentTimeMillis) - startedAt
      if (nextAttempt !== null && overLimit(context, false, durationMillis) === null) {
        const result = triedAfter(attempt, nextAttempt)
        const failure = { error, next: nextAttempt, gathered: logsOnly, startedAt, begun: attempt.begun, result }
        return yield* pauseBefore(committer, runStep, failure)
      }
      return yield* committer.fail(runStep, error, logsOnly, { startedAt, attempt: attempt.begun, credits: price })
    })
    return yield* Effect.map(runWhole(), (): Next | Pause => (isLast ? ending : next)).pipe(onStepFailed(failed))
  })
