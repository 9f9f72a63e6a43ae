// Executes the step of an action: on one record or many, a call, or an outside step if it runs in this place (developer-api.md 7.11 run
// semantics 6; decisions: attempts).
import { Clock, Effect } from "effect"
import type { Committer, NotCommitted } from "../commit/Committer.ts"
import { iterationKey } from "../model/Plan.ts"
import type { RunStep } from "../run/RunContext.ts"
import type { Next } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { ledgerOf } from "../run/runEntries.ts"
import type { SliceLimits } from "../run/runLimits.ts"
import { newStepOutput } from "../run/StepOutput.ts"
import { waitsForCalled } from "./callStep.ts"
import { makeCollectionStep } from "./collectionStep.ts"
import { attemptAfter, firstAttempt, isPause, type Pause, type StepAttempt, wornOut } from "./retryPause.ts"
import type { Here, OutsideStop } from "./segmentEnds.ts"
import { awaits, type StepKit, stepPart } from "./stepKit.ts"

/** Step to execute, with its run and the limits of the slice. */
export interface StepPlace extends RunStep {
  readonly limits: SliceLimits
  readonly here: Here | undefined
  /** True if the executor has just taken the run: the step may have begun before. */
  readonly first: boolean
}

/** `again`: the loop has to process the step anew. */
export type Stepped =
  | { readonly type: "next"; readonly next: Next }
  | { readonly type: "stop"; readonly stop: OutsideStop }
  | { readonly type: "again" }

const stop = (why: OutsideStop): Stepped => ({ type: "stop", stop: why })
const repeatStep: Stepped = { type: "again" }

export const makeActionStep = Effect.fnUntraced(function* ({ calledBy, calls, leaf, limitsOfRun, runtimeOf }: StepKit) {
  const store = yield* RunStore
  const collection = yield* makeCollectionStep(limitsOfRun, calls)

  /** Commits the `started` mark of an outside step before its effect. */
  const begin = Effect.fnUntraced(function* ({ save }: Committer, place: StepPlace) {
    const { context, cursor, first, node } = place
    const ledgerRow = first ? yield* store.ledger(context.run.run_id, node.path, iterationKey(cursor.iteration)) : null
    const attempt = attemptAfter(ledgerRow)
    yield* save(context, { cursor, ledger: ledgerOf(place, "started", attempt.begun) })
    return attempt
  })

  /**
   * True if the outside step runs in this activity. A step of several slices, or one that waits for called runs, does so only as the first
   * step.
   */
  const isHere = (place: StepPlace) => {
    const { context, first, here, node } = place
    if (here === undefined) return Effect.succeed(false)
    if (here.along === undefined) return Effect.succeed(first)
    const isSingleSlice = runtimeOf(context, node)?.kind !== "each" && !awaits(context, node)
    return isSingleSlice ? here.along(place) : Effect.succeed(false)
  }

  return Effect.fnUntraced(function* (mine: Committer, place: StepPlace): Effect.fn.Return<Stepped, NotCommitted> {
    const { context, cursor, here, limits, node } = place
    const outside = node.kind === "outside"
    if (outside && !(yield* isHere(place))) {
      // Saves the cursor, after a branch or inside a loop's iteration: the executor of the outside step loads the run anew and has to find
      // the step there.
      if (cursor !== context.run.cursor) yield* mine.save(context, { cursor })
      return stop({ type: "outside", node, cursor })
    }
    const runtime = runtimeOf(context, node)!
    const committer = outside && here !== undefined ? here.committer : mine
    const awaited = yield* calledBy(place)
    if (awaited !== null) {
      if (context.run.wait_why !== "called_run") yield* committer.save(context, { cursor, waits: waitsForCalled })
      return stop(awaited)
    }
    let outcome: Next | Pause
    if (runtime.kind === "each") {
      const ran: Next | Pause | "more" = yield* stepPart(node)(collection(committer, place, runtime, limits))
      if (ran === "more") return awaits(context, node) ? repeatStep : stop({ type: "more" })
      outcome = ran
    } else if (awaits(context, node)) {
      outcome = yield* stepPart(node)(calls.one(committer, place, runtime))
    } else {
      const attempt: StepAttempt = outside ? yield* begin(committer, place) : firstAttempt
      const exhaustion = wornOut(attempt.again - 1)
      const failureFacts = { startedAt: yield* Clock.currentTimeMillis, attempt: attempt.begun, credits: 1 }
      outcome = yield* exhaustion === null
        ? stepPart(node)(leaf(committer, place, runtime, attempt))
        : committer.fail(place, exhaustion, newStepOutput(), failureFacts)
    }
    if (!isPause(outcome)) return { type: "next", next: outcome }
    // A cancellation that was requested during the attempt takes effect without the pause.
    return context.run.cancel_requested_on === null ? stop({ type: "retry", pause: outcome }) : repeatStep
  })
})
