// Executes the step of a single-statement run (commit/singleStatementRuns.ts).
import { Effect } from "effect"
import type { Committed, Committer } from "../commit/Committer.ts"
import type { RunContext } from "../run/RunContext.ts"
import { costs } from "../run/stepKinds.ts"
import { firstAttempt } from "./retryPause.ts"
import { type StepKit, stepPart } from "./stepKit.ts"

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
