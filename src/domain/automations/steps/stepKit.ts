// Shared parts for executing the steps of a run: runtimes, the committer of each mode (commit/commitMode.ts), and the waits of calls.
import { Effect } from "effect"
import { part } from "../../../platform/telemetry/traceContext.ts"
import type { Committed, Committer } from "../commit/Committer.ts"
import { makeChunkedSteps } from "../commit/chunkedSteps.ts"
import { type CommitMode, commitMode, endMode } from "../commit/commitMode.ts"
import { makeGroupedCommitter } from "../commit/groupedCommitter.ts"
import { makeRunCommits } from "../commit/runCommits.ts"
import { makeSingleStepCommitter } from "../commit/singleStepCommitter.ts"
import type { PlanNode } from "../model/Plan.ts"
import { Filters, Values } from "../model/Resolver.ts"
import { isDry } from "../model/RunScope.ts"
import { type StepRuntime, Steps } from "../model/Step.ts"
import { isPlain, type RunContext, type RunStep } from "../run/RunContext.ts"
import type { Next } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { awaitsResult } from "../run/runCalls.ts"
import { makeRunLimits } from "../run/runLimits.ts"
import { makeCalls } from "./callStep.ts"
import { makeBranchStep, makeLoopStep } from "./controlFlowSteps.ts"
import { type LeafRuntime, makeLeafStep } from "./leafStep.ts"
import { firstAttempt } from "./retryPause.ts"
import type { SegmentEnd } from "./segmentEnds.ts"

/** True if the step waits for its calls; a simulation makes no calls. */
export const awaits = ({ loaded, run }: RunContext, node: PlanNode): boolean =>
  !isDry(run.type, loaded.trigger) && awaitsResult(node)

/** Span of a step in the trace of its run. */
export const stepPart = ({ action, path }: PlanNode) => part(`step ${action.type}`, { "millrace.step": path })

export type StepKit = Effect.Success<typeof makeStepKit>

export const makeStepKit = Effect.gen(function* () {
  const store = yield* RunStore
  const steps = yield* Steps
  const values = yield* Values
  const filters = yield* Filters
  const commits = yield* makeRunCommits
  const limitsOfRun = yield* makeRunLimits
  const aloneCommitter = makeSingleStepCommitter(commits)
  const grouped = yield* makeGroupedCommitter(commits, aloneCommitter)
  /**
   * Committer for a plain run's step of mode `alone`. Only its effect is committed alone: its failure, which takes no time, may be grouped.
   */
  const plainAlone: Committer = { ...grouped, act: aloneCommitter.act }
  const chunks = yield* makeChunkedSteps(commits, limitsOfRun)
  const branch = makeBranchStep(filters)
  const loop = makeLoopStep(store, values, filters)
  const leaf = makeLeafStep(limitsOfRun)
  const calls = yield* makeCalls

  const runtimeOf = (context: RunContext, { action }: PlanNode): StepRuntime | undefined => {
    const { pinned = {} } = context.loaded.trigger
    return Object.hasOwn(pinned, action.id) ? steps.pinned(action.type, pinned[action.id]) : steps.of(action.type)
  }

  const modeOf = (step: RunStep) => commitMode(step, runtimeOf(step.context, step.node)?.kind)

  /** Returns the committer for a step outside of any chunk. */
  const committerOf = (context: RunContext, mode: CommitMode): Committer =>
    mode === "grouped" ? grouped : isPlain(context) ? plainAlone : aloneCommitter

  /** Returns the committer for a run without further steps. */
  const atEnd = (context: RunContext) => committerOf(context, endMode(context))

  /** Executes a step that may be part of a chunk. */
  const light = <E>(committer: Committer<E>, step: RunStep): Committed<Next, E> => {
    const { context, node } = step
    if (node.kind === "branch") return branch(committer, step)
    if (node.kind === "loop") return loop(committer, step)
    const runtime = runtimeOf(context, node) as LeafRuntime
    // Only outside steps have retries, and none of them is part of a chunk.
    return stepPart(node)(leaf(committer, step, runtime, firstAttempt)) as Committed<Next, E>
  }

  const calledBy = (step: RunStep) =>
    !awaits(step.context, step.node)
      ? Effect.succeed(null)
      : Effect.map(calls.waitsFor(step), (ready): SegmentEnd | null =>
          ready === null ? null : { type: "called", ready, why: "runs that it has called are not over" }
        )

  return {
    alone: aloneCommitter,
    atEnd,
    calledBy,
    calls,
    chunks,
    committerOf,
    leaf,
    light,
    limitsOfRun,
    modeOf,
    runtimeOf
  }
})
