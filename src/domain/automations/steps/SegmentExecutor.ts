// Executes a run from its cursor to the next durable point (design: automations as durable executions). Each step is committed with
// what it leaves, under the run's fence, in the mode that commit/commitMode.ts says (decisions A1).
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { UnknownStep } from "../../../engine/temporal/messages.ts"
import { part } from "../../../ground/telemetry/traceContext.ts"
import { makeAloneCommitter } from "../commit/aloneCommitter.ts"
import type { Committed, Committer } from "../commit/Committer.ts"
import { makeChunks } from "../commit/chunkedSteps.ts"
import { commitMode } from "../commit/commitMode.ts"
import { makeGroupedCommitter } from "../commit/groupedCommitter.ts"
import { makeRunCommits } from "../commit/runCommits.ts"
import { type Cursor, iterationKey, type PlanNode } from "../model/Plan.ts"
import { Filters, Values } from "../model/Resolver.ts"
import { isDry } from "../model/RunScope.ts"
import { type StepRuntime, Steps } from "../model/Step.ts"
import { isPlain, type RunContext } from "../run/RunContext.ts"
import { type Ending, isEnding, type RunTaken } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { awaitsResult, type ReadyRun } from "../run/runCalls.ts"
import { cancelledFor, completed, ledgerOf } from "../run/runEntries.ts"
import { makeRunLimits, type SliceLimits } from "../run/runLimits.ts"
import { costs } from "../run/stepKinds.ts"
import { makeBranchStep } from "./branchStep.ts"
import { makeCalls, waitsForCalled } from "./callStep.ts"
import { makeCollectionStep } from "./collectionStep.ts"
import { makeDelayStep } from "./delayStep.ts"
import { exitStep } from "./exitStep.ts"
import { type LeafRuntime, makeLeafStep } from "./leafStep.ts"
import { makeLoopStep } from "./loopStep.ts"
import { attemptAfter, firstAttempt, isPause, type Pause, type StepAttempt } from "./retryPause.ts"
import { end, makeComplete } from "./runEnd.ts"
import { failUnknown } from "./unknownStep.ts"

/** Why the executor stops. */
export type SegmentEnd =
  | { readonly type: "done"; readonly ending: Ending }
  | { readonly type: "wait"; readonly until: Date }
  | { readonly type: "outside"; readonly node: PlanNode; readonly cursor: Cursor }
  /** Until runs are over that it has called; `ready`: those of them that are to be started. */
  | { readonly type: "called"; readonly ready: ReadonlyArray<ReadyRun> }
  /** The slice is used up: go on at once. */
  | { readonly type: "more" }
/** The attempt of an outside step has failed; the next is made after the pause. */
type OutsideStop = SegmentEnd | { readonly type: "retry"; readonly pause: Pause }
/** @property failure why a step has failed for good; the run may go on all the same */
export type OutsideEnd = OutsideStop & { readonly failure?: string }

/** Outside steps that are executed where the run is, each with its `started` mark and its result. */
interface Here {
  readonly committer: Committer
  /** Whether one that comes behind is taken along; undefined: only the one at the cursor is executed, and nothing behind it. */
  readonly along?: (node: PlanNode, cursor: Cursor) => Effect.Effect<boolean>
}

/** A simulation calls nobody. */
const awaits = ({ loaded, run }: RunContext, node: PlanNode): boolean =>
  !isDry(run.type, loaded.trigger) && awaitsResult(node)

const nowhere: Ending = {
  status: "failed",
  failure_reason: "actions_setup_failed",
  error_message: "The run stands at a step that its definition does not have."
}

/** A turn of a loop without conditions; its first reads the items. */
const isPureTurn = ({ action: { config }, kind }: PlanNode, { turn = 0 }: Cursor): boolean =>
  kind === "loop" && turn > 0 && config["break_condition"] == null && config["continue_condition"] == null

/** A step in the trace of its run. */
const stepPart = ({ action, path }: PlanNode) => part(`step ${action.type}`, { "millrace.step": path })

const tellingOf = ([failure]: ReadonlyArray<string>) => (failure === undefined ? {} : { failure })

export class SegmentExecutor extends Context.Service<
  SegmentExecutor,
  {
    /** Goes on until a durable point, the end, or the end of the slice. The run has been taken before. */
    readonly segment: (context: RunContext, limits: SliceLimits) => Committed<SegmentEnd>
    /** One outside step, begun and finished: after it the cursor stands behind the step. */
    readonly outside: (context: RunContext, limits: SliceLimits) => Committed<OutsideEnd>
    /** Behind it: as `segment`, and outside steps that are taken along, until one of them has failed. */
    readonly behind: (
      context: RunContext,
      limits: SliceLimits,
      along: (node: PlanNode, cursor: Cursor) => Effect.Effect<boolean>
    ) => Committed<OutsideEnd>
    /** What it waits for, where it stands at a call; null: nothing any more. */
    readonly waits: (context: RunContext) => Committed<SegmentEnd | null>
    /** The outside step at the cursor fails without having begun; null: the run goes on. */
    readonly unknown: (context: RunContext, step: UnknownStep) => Committed<Ending | null>
    /** Ends a run that nothing executes any more. */
    readonly end: (context: RunContext, ending: Ending) => Committed<void>
  }
>()("millrace/automations/steps/SegmentExecutor") {
  static readonly layer = Layer.effect(
    SegmentExecutor,
    Effect.gen(function* () {
      const store = yield* RunStore
      const steps = yield* Steps
      const values = yield* Values
      const filters = yield* Filters
      const commits = yield* makeRunCommits
      const limitsOfRun = yield* makeRunLimits
      const alone = makeAloneCommitter(commits)
      const grouped = yield* makeGroupedCommitter(commits, alone)
      /** Of a plain run's step only what acts is alone: what a failure leaves need hold up nobody. */
      const plainAlone: Committer = { ...grouped, act: alone.act }
      const chunks = yield* makeChunks(commits, limitsOfRun)
      const complete = makeComplete(values)
      const branch = makeBranchStep(filters)
      const loop = makeLoopStep(store, values, filters)
      const delay = makeDelayStep(store, values)
      const leaf = makeLeafStep(limitsOfRun)
      const calls = yield* makeCalls
      const collection = yield* makeCollectionStep(limitsOfRun, calls)
      const { overLimit } = limitsOfRun

      const runtimeOf = (context: RunContext, { action }: PlanNode): StepRuntime | undefined => {
        const { pinned = {} } = context.loaded.trigger
        return Object.hasOwn(pinned, action.id) ? steps.pinned(action.type, pinned[action.id]) : steps.of(action.type)
      }
      const modeOf = (context: RunContext, node: PlanNode, cursor: Cursor) =>
        commitMode(context, node, cursor, runtimeOf(context, node)?.kind)
      /** Where no step is left to commit. */
      const atEnd = (context: RunContext) =>
        commitMode(context, null, null, undefined) === "grouped" ? grouped : alone

      /** A step that may be in a chunk. */
      const light =
        (context: RunContext) =>
        <E>(committer: Committer<E>, node: PlanNode, cursor: Cursor): Committed<Cursor | Ending | null, E> => {
          if (node.kind === "branch") return branch(committer, context, node, cursor)
          if (node.kind === "loop") return loop(committer, context, node, cursor)
          // Only outside steps are tried again, and none of them is light.
          return stepPart(node)(
            leaf(committer, context, node, cursor, runtimeOf(context, node) as LeafRuntime, firstAttempt)
          ) as Committed<Cursor | Ending | null, E>
        }

      const calledBy = (context: RunContext, node: PlanNode | undefined, cursor: Cursor | null) =>
        node === undefined || cursor === null || !awaits(context, node)
          ? Effect.succeed(null)
          : Effect.map(calls.waitsFor(context, node, cursor), (ready): SegmentEnd | null =>
              ready === null ? null : { type: "called", ready }
            )

      /** The `started` mark of an outside step, committed before its effect. @param first it may have begun before */
      const begin = Effect.fnUntraced(function* (
        { save }: Committer,
        context: RunContext,
        node: PlanNode,
        cursor: Cursor,
        first: boolean
      ) {
        const known = first ? yield* store.ledger(context.run.run_id, node.path, iterationKey(cursor.iteration)) : null
        const attempt = attemptAfter(known)
        yield* save(context, { cursor, ledger: ledgerOf(node, cursor, "started", attempt.begun, null) })
        return attempt
      })

      /** Whether the outside step is executed here; one of several slices, or that waits for what it calls, comes first only. */
      const isHere = (here: Here | undefined, context: RunContext, node: PlanNode, cursor: Cursor, first: boolean) => {
        if (here === undefined) return Effect.succeed(false)
        if (here.along === undefined) return Effect.succeed(first)
        const whole = runtimeOf(context, node)?.kind !== "each" && !awaits(context, node)
        return whole ? here.along(node, cursor) : Effect.succeed(false)
      }

      const go = Effect.fnUntraced(function* (
        context: RunContext,
        limits: SliceLimits,
        here?: Here
      ): Effect.fn.Return<OutsideStop, RunTaken | SqlError> {
        let cursor = context.run.cursor
        let first = true
        const step = light(context)
        const takes = (node: PlanNode, at: Cursor) => modeOf(context, node, at) === "chunked"
        const onlyOne = here !== undefined && here.along === undefined
        const chunk = onlyOne || isPlain(context) ? undefined : chunks({ context, limits, takes, step })
        for (;;) {
          if (context.run.cancel_requested_on !== null) {
            const ending = cancelledFor(yield* store.cancelReason(context.run.run_id))
            yield* end(atEnd(context), context, ending)
            return { type: "done", ending }
          }
          const node: PlanNode | undefined = cursor === null ? undefined : context.revision.plan.nodes.get(cursor.path)
          const over =
            cursor !== null && node === undefined
              ? nowhere
              : overLimit(context, node !== undefined && costs(node.action.type))
          if (over !== null) {
            yield* end(atEnd(context), context, over)
            return { type: "done", ending: over }
          }
          if (cursor === null || node === undefined) {
            yield* complete(atEnd(context), context)
            return { type: "done", ending: completed }
          }
          if (!first && (yield* limits.stop)) return { type: "more" }
          // Nothing is read or written for it: no transaction.
          if (isPureTurn(node, cursor)) {
            const turned: Cursor | Ending | null = yield* step(alone, node, cursor)
            if (isEnding(turned)) return { type: "done", ending: turned }
            first = false
            cursor = turned
            continue
          }
          const mode = modeOf(context, node, cursor)
          if (mode === "chunked" && chunk !== undefined) {
            const stands: Cursor | null | undefined = yield* chunk(node, cursor)
            if (stands !== undefined) {
              first = false
              cursor = stands
              continue
            }
          }
          const mine = mode === "grouped" ? grouped : isPlain(context) ? plainAlone : alone
          let next: Cursor | Ending | null
          switch (node.kind) {
            case "branch":
            case "loop":
              next = yield* step(mine, node, cursor)
              break
            case "exit":
              next = yield* exitStep(mine, context, node, cursor)
              break
            case "wait": {
              const waited: Cursor | Ending | null | Date = yield* delay(mine, context, node, cursor)
              if (waited instanceof Date) return { type: "wait", until: waited }
              next = waited
              break
            }
            default: {
              const outside = node.kind === "outside"
              if (outside && !(yield* isHere(here, context, node, cursor, first))) {
                // Whoever executes it takes the run anew, and has to find it here: behind the branch or into the turn of a loop.
                if (cursor !== context.run.cursor) yield* mine.save(context, { cursor })
                return { type: "outside", node, cursor }
              }
              const runtime = runtimeOf(context, node)!
              const committer = outside && here !== undefined ? here.committer : mine
              const awaited: SegmentEnd | null = yield* calledBy(context, node, cursor)
              if (awaited !== null) {
                if (context.run.wait_why !== "called_run")
                  yield* committer.save(context, { cursor, waits: waitsForCalled })
                return awaited
              }
              let left: Cursor | Ending | null | Pause
              if (runtime.kind === "each") {
                const ran: Cursor | Ending | null | Pause | "more" = yield* stepPart(node)(
                  collection(committer, context, node, cursor, runtime, limits)
                )
                if (ran === "more") {
                  if (awaits(context, node)) continue
                  return { type: "more" }
                }
                left = ran
              } else if (awaits(context, node)) {
                left = yield* stepPart(node)(calls.one(committer, context, node, cursor, runtime))
              } else {
                const attempt: StepAttempt = outside
                  ? yield* begin(committer, context, node, cursor, first)
                  : firstAttempt
                left = yield* stepPart(node)(leaf(committer, context, node, cursor, runtime, attempt))
              }
              if (isPause(left)) {
                // Asked for while the attempt was made: the pause is not waited for.
                if (context.run.cancel_requested_on !== null) continue
                return { type: "retry", pause: left }
              }
              next = left
              if (onlyOne && !isEnding(next)) return { type: "more" }
            }
          }
          first = false
          if (isEnding(next)) return { type: "done", ending: next }
          cursor = next
        }
      })

      /** With a committer that is told which outside steps fail, and why. */
      const telling = (
        execute: (committer: Committer, failed: () => boolean) => Committed<OutsideStop>
      ): Committed<OutsideEnd> =>
        Effect.suspend(() => {
          const failures: Array<string> = []
          const committer: Committer = {
            ...alone,
            fail: (at, ...step) =>
              Effect.tap(alone.fail(at, ...step), () =>
                Effect.sync(() => failures.push(at.run.most_recent_error ?? "The step failed."))
              )
          }
          const ends = execute(committer, () => failures.length > 0)
          return Effect.map(ends, (stop) => ({ ...stop, ...tellingOf(failures) }))
        })

      return SegmentExecutor.of({
        // It executes no outside step.
        segment: (context, limits) => go(context, limits) as Committed<SegmentEnd>,
        outside: (context, limits) => telling((committer) => go(context, limits, { committer })),
        behind: (context, limits, along) =>
          telling((committer, failed) =>
            go(context, limits, {
              committer,
              along: (node, cursor) => (failed() ? Effect.succeed(false) : along(node, cursor))
            })
          ),
        unknown: (context, step) => failUnknown(alone, context, step),
        waits: (context) => {
          const { cursor } = context.run
          return calledBy(context, context.revision.plan.nodes.get(cursor?.path ?? ""), cursor)
        },
        end: (context, ending) => end(atEnd(context), context, ending)
      })
    })
  )
}
