// Executes one step outside of the loop: the only one of a single-statement run (commit/singleStatementRuns.ts), and an outside step that its
// worker does not know because it is of another release. That one has not begun: the run ends or continues as after any failed step
// (developer-api.md 7.11 run semantics 3).
import { Clock, Effect } from "effect"
import type { UnknownStep } from "../../../engine/temporal/messages.ts"
import type { Committed, Committer, NotCommitted } from "../commit/Committer.ts"
import { iterationKey } from "../model/Plan.ts"
import { StepFailed } from "../model/Step.ts"
import type { RunContext } from "../run/RunContext.ts"
import { type Ending, isEnding } from "../run/RunRow.ts"
import { newStepOutput } from "../run/StepOutput.ts"
import { costs } from "../run/stepKinds.ts"
import { firstAttempt } from "./retryPause.ts"
import { type StepKit, stepPart } from "./stepKit.ts"

/** Returns the ending, or null if the run continues: after the step, or from its present position if it no longer stands at the step. */
export const failUnknown = Effect.fnUntraced(function* (
  { fail }: Committer,
  context: RunContext,
  { action, iteration, path }: UnknownStep
): Effect.fn.Return<Ending | null, NotCommitted> {
  const { cursor } = context.run
  const node = context.revision.plan.nodes.get(path)
  const stands = cursor?.path === path && iterationKey(cursor.iteration) === iterationKey(iteration)
  if (!stands || node?.kind !== "outside") return null
  const message = `The worker that was given the step does not know \`${action}\`: it is of another release.`
  const facts = { startedAt: yield* Clock.currentTimeMillis, credits: 0 }
  const next = yield* fail({ context, node, cursor }, new StepFailed({ message }), newStepOutput(), facts)
  return isEnding(next) ? next : null
})

export const makeSingleStatementStep =
  ({ leaf, limitsOfRun, runtimeOf }: StepKit) =>
  <E>(context: RunContext, committer: Committer<E>): Committed<void, E> => {
    const { cursor } = context.run
    const node = context.revision.plan.nodes.get(cursor?.path ?? "")
    const runtime = node === undefined ? undefined : runtimeOf(context, node)
    if (cursor === null || node === undefined || runtime?.kind !== "prepared") return Effect.void
    if (limitsOfRun.overLimit(context, costs(node.action.type)) !== null) return Effect.void
    return Effect.asVoid(stepPart(node)(leaf(committer, { context, node, cursor }, runtime, firstAttempt)))
  }
