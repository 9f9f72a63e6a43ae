// Executes a run from its cursor to the next durable point (design: automations as durable executions). Each step is committed with
// what it leaves, under the run's fence, in the mode that commit/commitMode.ts says (decisions A1).
import { Context, Effect, Layer } from "effect"
import type { UnknownStep } from "../../../engine/temporal/messages.ts"
import type { Committed, Committer } from "../commit/Committer.ts"
import type { RunContext } from "../run/RunContext.ts"
import type { Ending } from "../run/RunRow.ts"
import type { SliceLimits } from "../run/runLimits.ts"
import { end } from "./runEnd.ts"
import type { Along, OutsideEnd, OutsideStop, SegmentEnd } from "./segmentEnds.ts"
import { makeSegmentLoop } from "./segmentLoop.ts"
import { makeStepKit } from "./stepKit.ts"
import { failUnknown } from "./unknownStep.ts"
import { makeWholeStep } from "./wholeStep.ts"

const tellingOf = ([failure]: ReadonlyArray<string>) => (failure === undefined ? {} : { failure })

export class SegmentExecutor extends Context.Service<
  SegmentExecutor,
  {
    /** Goes on until a durable point, the end, or the end of the slice. The run has been taken before. */
    readonly segment: (context: RunContext, limits: SliceLimits) => Committed<SegmentEnd>
    /** The one step of a run that is not there yet, as far as it comes to be handed to the committer. */
    readonly whole: <E>(context: RunContext, committer: Committer<E>) => Committed<void, E>
    /** One outside step, begun and finished: after it the cursor stands behind the step. */
    readonly outside: (context: RunContext, limits: SliceLimits) => Committed<OutsideEnd>
    /** Behind it: as `segment`, and outside steps that are taken along, until one of them has failed. */
    readonly behind: (context: RunContext, limits: SliceLimits, along: Along) => Committed<OutsideEnd>
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
      const kit = yield* makeStepKit
      const { alone, atEnd, calledBy } = kit
      const go = yield* makeSegmentLoop(kit)

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
        whole: makeWholeStep(kit),
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
