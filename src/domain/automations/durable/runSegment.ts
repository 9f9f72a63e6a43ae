// Executes a durable run segment by segment for its workflow (design: automations as durable executions; developer-api.md 7.11 run
// semantics 5 to 7). A segment waits for a slot, executes steps, and returns what the workflow does next.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Draining } from "../../../engine/temporal/Draining.ts"
import { Epoch } from "../../../engine/temporal/Epoch.ts"
import type { RunDirective, UnknownStep } from "../../../engine/temporal/messages.ts"
import { ActorTuning } from "../../../platform/config/Tuning.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { recoverSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { part } from "../../../platform/telemetry/traceContext.ts"
import { ConcurrencyLimits } from "../run/ConcurrencyLimits.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import { PayloadShares } from "../run/PayloadShares.ts"
import type { RunContext } from "../run/RunContext.ts"
import type { LoadedRun } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { progressOf } from "../run/runProgress.ts"
import { SegmentExecutor } from "../steps/SegmentExecutor.ts"
import { makeAdmission, NO_PLACE } from "./admission.ts"
import { RunStarts } from "./RunStarts.ts"
import { toDirective } from "./runDirectives.ts"
import { makeExecution, segmentOf } from "./runExecution.ts"
import { startRefusal } from "./startRefusal.ts"

/** Wraps the part of an activity that only waits, with the reason. */
export type WaitingRun = (why: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** @param unknown the outside step at which the run stands, if its worker does not know it */
export type RunSegment = (
  runId: string,
  waiting: WaitingRun,
  unknown?: UnknownStep
) => Effect.Effect<RunDirective, SqlError>

export const makeRunSegment = Effect.gen(function* () {
  const sql = yield* Sql
  const store = yield* RunStore
  const executor = yield* SegmentExecutor
  const runSlots = yield* OrganizationSlots
  const shares = yield* PayloadShares
  const concurrencyLimits = yield* ConcurrencyLimits
  const starts = yield* RunStarts
  const draining = yield* Draining
  const epoch = yield* Epoch
  const { sliceMillis } = yield* ActorTuning
  const { admitted } = yield* makeAdmission
  const { left, open, slice, statusOf } = yield* makeExecution
  const millis = Clock.currentTimeMillis

  /** Like `admitted`, but waits in the queue if no slot is free; `called`: the run's row has to be read again. */
  const inTurn = Effect.fnUntraced(function* (context: RunContext, waiting: WaitingRun) {
    const { org_id, run_id } = context.run
    const queuePosition = yield* runSlots.stand(org_id, run_id)
    const admission = yield* admitted(context)
    if (admission.ok || admission.why !== NO_PLACE || queuePosition === null) return admission
    return yield* waiting(NO_PLACE)(Effect.raceFirst(queuePosition, Effect.as(draining.wait, "long" as const)))
  }, Effect.scoped)

  /** Makes one attempt; null: start anew at once. */
  const attempt = Effect.fnUntraced(function* (runId: string, waiting: WaitingRun, unknown?: UnknownStep) {
    const loaded = yield* store.take(runId)
    if (loaded === null) return yield* statusOf(runId)
    return yield* segmentOf(loaded)(attemptLoaded(loaded, waiting, unknown))
  })

  const attemptLoaded = Effect.fnUntraced(function* (
    loaded: LoadedRun,
    waiting: WaitingRun,
    unknown: UnknownStep | undefined
  ) {
    const context = yield* open(loaded, null)
    const loadProgress = Effect.suspend(() => progressOf(sql, context))
    const { run } = loaded
    const { run_id: runId } = run
    const nowMillis = yield* millis
    const earlyEnding = startRefusal(context, nowMillis)
    if (earlyEnding !== null) {
      yield* executor.end(context, earlyEnding)
      yield* runSlots.release(run.org_id, runId)
      return toDirective(yield* epoch.current, run.org_id, { type: "done", ending: earlyEnding }, yield* loadProgress)
    }
    const unknownEnding = unknown === undefined ? null : yield* executor.unknown(context, unknown)
    if (unknownEnding !== null) return yield* left(context, { type: "done", ending: unknownEnding })
    // A run in a delay needs no slot to check the time. Credits, however, may have become available early.
    if (run.wait_why !== "credits" && run.wait_until !== null && run.wait_until.getTime() > nowMillis) {
      // Releases the slot: the process that began the delay may have died before it did.
      return yield* left(context, { type: "wait", until: run.wait_until })
    }
    if (run.wait_why === "delay" && run.wait_until !== null) yield* starts.wasDue(run.wait_until)
    // A run that waits for called runs checks them before it asks for a slot, which these may need.
    const called = run.wait_why === "called_run" ? yield* executor.waits(context) : null
    if (called !== null) return yield* left(context, called)
    if (run.wait_why === "called_run" && !(yield* sql.withTransaction(concurrencyLimits.takeBack(run)))) {
      const why = "as many runs of the automation as may be are under way"
      return yield* left(context, { type: "called", ready: [], why })
    }
    const admission = yield* inTurn(context, waiting).pipe(part("wait for a place", {}))
    if (admission === "called") return null
    if (admission === "long")
      return toDirective(
        yield* epoch.current,
        run.org_id,
        { type: "more" },
        `${yield* loadProgress}\n\nWaits: ${NO_PLACE}.`
      )
    if (admission.ok) {
      const segment = Effect.flatMap(slice(sliceMillis), (limits) => executor.segment(context, limits))
      return yield* left(context, yield* shares.within(loaded)(segment))
    }
    const { again, why } = admission
    // The run may have been started with a slot that it cannot use.
    if (why !== NO_PLACE) yield* runSlots.release(run.org_id, runId, run.fence)
    return {
      type: "wait",
      until: nowMillis + again,
      why,
      details: `${yield* loadProgress}\n\nWaits: ${why}.`
    } as RunDirective
  })

  const segment: RunSegment = Effect.fnUntraced(
    function* (runId, waiting, unknown) {
      yield* starts.takenUp(runId)
      for (;;) {
        const directive = yield* attempt(runId, waiting, unknown)
        if (directive !== null) return directive
      }
    },
    // Another executor has the run, or it was cancelled meanwhile: its row decides.
    Effect.catchTag("RunTaken", () => Effect.succeed<RunDirective>({ type: "more", details: "" })),
    recoverSqlDefect
  )

  return segment
})
