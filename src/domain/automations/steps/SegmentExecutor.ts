// Executes a run from its cursor to the next durable point (design: automations as durable executions). Each step is committed together
// with its output, under the run's fence, in the mode that commit/commitMode.ts chooses (decisions A1).
import { Context, Effect, Layer } from "effect"
import type { UnknownStep } from "../../../engine/temporal/messages.ts"
import type { Committed, Committer } from "../commit/Committer.ts"
import type { RunContext } from "../run/RunContext.ts"
import type { Ending } from "../run/RunRow.ts"
import type { SliceLimits } from "../run/runLimits.ts"
import { end } from "./runEnd.ts"
import type { Along, OutsideEnd, OutsideStop, SegmentEnd } from "./segmentEnds.ts"
import { makeSegmentLoop } from "./segmentLoop.ts"
import { failUnknown, makeSingleStatementStep } from "./singleSteps.ts"
import { makeStepKit } from "./stepKit.ts"

const tellingOf = ([failure]: ReadonlyArray<string>) => (failure === undefined ? {} : { failure })

export class SegmentExecutor extends Context.Service<
  SegmentExecutor,
  {
    /** Executes steps until a durable point, the end of the run, or the end of the slice. The caller has taken the run. */
    readonly segment: (context: RunContext, limits: SliceLimits) => Committed<SegmentEnd>
    /** Executes the only step of a run that is not stored yet, up to the call of the committer. */
    readonly whole: <E>(context: RunContext, committer: Committer<E>) => Committed<void, E>
    /** Executes one outside step completely: afterwards the cursor stands after the step. */
    readonly outside: (context: RunContext, limits: SliceLimits) => Committed<OutsideEnd>
    /**
     * Continues after an outside step like `segment`, and also executes further outside steps that `along` accepts, until one of them
     * fails.
     */
    readonly behind: (context: RunContext, limits: SliceLimits, along: Along) => Committed<OutsideEnd>
    /** Returns the calls for which the run waits, if it stands at a call; null: there is nothing left to wait for. */
    readonly waits: (context: RunContext) => Committed<SegmentEnd | null>
    /** Fails the outside step at the cursor, which has not begun; null: the run continues. */
    readonly unknown: (context: RunContext, step: UnknownStep) => Committed<Ending | null>
    /** Ends a run that nothing executes any more. */
    readonly end: (context: RunContext, ending: Ending) => Committed<void>
  }
>()("millrace/automations/steps/SegmentExecutor") {
  static readonly layer = Layer.effect(
    SegmentExecutor,
    Effect.gen(function* () {
      const kit = yield* makeStepKit
      const { alone, atEnd, calledBy } = kit
      const go = yield* makeSegmentLoop(kit)

      /** Executes with a committer that collects the errors of failed outside steps. */
      const telling = (
        execute: (committer: Committer, failed: () => boolean) => Committed<OutsideStop>
      ): Committed<OutsideEnd> =>
        Effect.suspend(() => {
          const failures: Array<string> = []
          const committer: Committer = {
            ...alone,
            fail: (step, ...failure) =>
              Effect.tap(alone.fail(step, ...failure), () =>
                Effect.sync(() => failures.push(step.context.run.most_recent_error ?? "The step failed."))
              )
          }
          const segmentEnd = execute(committer, () => failures.length > 0)
          return Effect.map(segmentEnd, (stop) => ({ ...stop, ...tellingOf(failures) }))
        })

      return SegmentExecutor.of({
        whole: makeSingleStatementStep(kit),
        // The loop executes no outside step unless it is given `here`, and so cannot end in a retry: the narrower type holds.
        segment: (context, limits) => go(context, limits) as Committed<SegmentEnd>,
        outside: (context, limits) => telling((committer) => go(context, limits, { committer })),
        behind: (context, limits, along) =>
          telling((committer, failed) =>
            go(context, limits, {
              committer,
              along: (step) => (failed() ? Effect.succeed(false) : along(step))
            })
          ),
        unknown: (context, step) => failUnknown(alone, context, step),
        waits: (context) => {
          const { cursor } = context.run
          const node = context.revision.plan.nodes.get(cursor?.path ?? "")
          return cursor === null || node === undefined ? Effect.succeed(null) : calledBy({ context, node, cursor })
        },
        end: (context, ending) => end(atEnd(context), context, ending)
      })
    })
  )
}
