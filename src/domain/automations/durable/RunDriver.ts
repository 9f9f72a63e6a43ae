// Takes runs over and executes them: a plain run at once in its actor, a durable one segment by segment for its workflow
// (design: automations as durable executions; developer-api.md 7.11 run semantics 5 to 7).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Draining } from "../../../engine/temporal/Draining.ts"
import { Epoch } from "../../../engine/temporal/Epoch.ts"
import type { RunDirective, UnknownStep } from "../../../engine/temporal/messages.ts"
import { rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { recoverSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import { Doing } from "../../../ground/telemetry/Doing.ts"
import { caused, part } from "../../../ground/telemetry/traceContext.ts"
import { iterationKey } from "../model/Plan.ts"
import { AutomationRevisions, type Revision } from "../run/AutomationRevisions.ts"
import type { InboxRow } from "../run/commitStatement.ts"
import type { RunContext } from "../run/RunContext.ts"
import { RunContextFactory } from "../run/RunContextFactory.ts"
import { RunPlaces } from "../run/RunPlaces.ts"
import type { Ending, LoadedRun } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { RunTurns } from "../run/RunTurns.ts"
import { cancelledFor } from "../run/runEntries.ts"
import type { SliceLimits } from "../run/runLimits.ts"
import { progressOf, RunStanding } from "../run/runProgress.ts"
import type { Pause } from "../steps/retryPause.ts"
import { type SegmentEnd, SegmentExecutor } from "../steps/SegmentExecutor.ts"
import { AttemptFailed, notDueYet, OutsideStepFailed, waitsFor } from "./AttemptFailed.ts"
import { makeAdmission, NO_PLACE } from "./admission.ts"
import { RunStarts } from "./RunStarts.ts"
import { done, toDirective } from "./runDirectives.ts"
import { stillborn } from "./stillborn.ts"

/** A segment ends after this long and is followed by the next: details stay fresh, retries stay small. */
const SLICE_MILLIS = 10_000
/** Behind an outside step, which is to leave its place to others: often the way to the next one, as in a loop, is no longer. */
const BEHIND_OUTSIDE_MILLIS = 1_000
/** An attempt that comes so much too soon, by another clock, is made. */
const EARLY_MILLIS = 250
/** An attempt that finds no place comes back after this. */
const PLACE_AGAIN_MILLIS = 5_000

/** What executes a run at a time, in the trace that it began in. */
const segmentOf = ({ run }: LoadedRun) =>
  caused(run.traceparent, "run segment", {
    attributes: { "millrace.run.id": run.run_id, "millrace.automation.id": run.automation_id }
  })

const segmentTold = (run: string, { type, ...rest }: SegmentEnd) =>
  Effect.logDebug(`a segment of the run ends: ${"ending" in rest ? rest.ending.status : type}`).pipe(
    Effect.annotateLogs({ run })
  )

/** Around what only waits, in an activity: for what reason. */
export type WaitingRun = (why: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const SettledRun = Schema.Struct({
  ...RunStanding.fields,
  org_id: Schema.Int,
  failure_reason: Schema.NullOr(Schema.String),
  error_message: Schema.NullOr(Schema.String),
  revision_id: Schema.String
})

const OpenRun = Schema.Struct({ open: Schema.Boolean })

export class RunDriver extends Context.Service<
  RunDriver,
  {
    /** Executes a plain run that was just created (`loaded`) or is found again; null: over, taken or without a place. */
    readonly plain: (
      runId: string,
      row: InboxRow,
      fresh: { readonly loaded: LoadedRun; readonly revision: Revision } | null
    ) => Effect.Effect<Ending | null, SqlError>
    /** @param unknown the outside step that it stands at, where its worker does not know it */
    readonly segment: (
      runId: string,
      waiting: WaitingRun,
      unknown?: UnknownStep
    ) => Effect.Effect<RunDirective, SqlError>
    /**
     * The outside step at a place, and what is left to do at once behind it; null: a segment has to look. Fails where the step is to
     * be tried again, and where it has failed for good and its workflow is to be told.
     */
    readonly outside: (
      runId: string,
      path: string,
      iteration: ReadonlyArray<number>,
      tell?: boolean
    ) => Effect.Effect<RunDirective | null, SqlError | AttemptFailed | OutsideStepFailed>
    /** Whether nothing is left to do or to wait for. */
    readonly isOver: (runId: string) => Effect.Effect<boolean, SqlError>
    /** Ends the run as cancelled, whoever executes it. @param why where nobody has asked the run itself for it */
    readonly cancel: (runId: string, why?: string) => Effect.Effect<void, SqlError>
  }
>()("millrace/automations/durable/RunDriver") {
  static readonly layer = Layer.effect(
    RunDriver,
    Effect.gen(function* () {
      const sql = yield* Sql
      const store = yield* RunStore
      const revisions = yield* AutomationRevisions
      const contexts = yield* RunContextFactory
      const executor = yield* SegmentExecutor
      const places = yield* RunPlaces
      const turns = yield* RunTurns
      const starts = yield* RunStarts
      const { admitted } = yield* makeAdmission
      const draining = yield* Draining
      const epoch = yield* Epoch
      const millis = Clock.currentTimeMillis

      const open = Effect.fnUntraced(function* (loaded: LoadedRun, row: InboxRow | null) {
        const revision = yield* revisions.get(loaded.run.revision_id)
        if (revision === null) return yield* Effect.die(new Error(`the revision of run ${loaded.run.run_id} is gone`))
        return contexts.make(loaded, revision, row)
      })

      const slice = (most: number) =>
        Effect.map(
          millis,
          (from): SliceLimits => ({
            stop: Effect.gen(function* () {
              return (yield* draining.begun) || (yield* millis) - from > most
            })
          })
        )

      const statusOf = Effect.fnUntraced(function* (runId: string) {
        const row = yield* rowOf(
          SettledRun
        )(sql`SELECT run_id::text, revision_id::text, org_id, status, cursor, wait_until, most_recent_error, failure_reason,
          error_message FROM runs WHERE run_id = ${runId}::bigint`)
        // Over without its executor: it may have been called to a place that it cannot take any more.
        if (row === undefined) return done("cancelled", null, null, "")
        yield* places.release(row.org_id, runId)
        const revision = yield* revisions.get(row.revision_id)
        const details = revision === null ? "" : yield* progressOf(sql, { revision, run: row })
        return done(row.status, row.failure_reason, row.error_message, details)
      })

      /** @param revision of a run that was just created, with its place */
      const plainLoaded = Effect.fnUntraced(function* (loaded: LoadedRun, row: InboxRow, revision: Revision | null) {
        const context = revision === null ? yield* open(loaded, row) : contexts.make(loaded, revision, row)
        const over = stillborn(context, yield* millis)
        if (over !== null) {
          yield* executor.end(context, over)
          yield* places.freed(loaded.run.org_id)
          return over
        }
        if (revision === null && !(yield* admitted(context)).ok) return null
        const directive = yield* executor.segment(context, { stop: draining.begun })
        yield* segmentTold(loaded.run.run_id, directive)
        if (directive.type !== "done") return null
        // The place went with the run's last commit.
        yield* places.freed(loaded.run.org_id)
        return directive.ending
      })

      const plain: RunDriver["Service"]["plain"] = Effect.fnUntraced(
        function* (runId, row, fresh) {
          const loaded = fresh?.loaded ?? (yield* store.take(runId))
          if (loaded === null) {
            yield* statusOf(runId)
            return null
          }
          if (fresh === null) return yield* segmentOf(loaded)(plainLoaded(loaded, row, null))
          return yield* plainLoaded(loaded, row, fresh.revision)
        },
        Effect.catchTag("RunTaken", () => Effect.succeed(null)),
        recoverSqlDefect,
        (run, runId) => Effect.provideService(run, Doing, `run ${runId}`)
      )

      /** What a durable run leaves off with; it gives its place back where it does not go on at once. */
      const left = Effect.fnUntraced(function* (context: RunContext, directive: SegmentEnd) {
        const { org_id, run_id } = context.run
        yield* segmentTold(run_id, directive)
        if (directive.type !== "outside" && directive.type !== "more") yield* places.release(org_id, run_id)
        return toDirective(yield* epoch.current, org_id, directive, yield* progressOf(sql, context))
      })

      /** As `admitted`, but stands in line where there is no place; `called`: look again what has become of the run. */
      const inTurn = Effect.fnUntraced(function* (context: RunContext, waiting: WaitingRun) {
        const { org_id, run_id } = context.run
        const standing = yield* places.stand(org_id, run_id)
        const admission = yield* admitted(context)
        if (admission.ok || admission.why !== NO_PLACE || standing === null) return admission
        return yield* waiting(NO_PLACE)(Effect.raceFirst(standing.called, Effect.as(draining.wait, "long" as const)))
      }, Effect.scoped)

      /** Null: at once anew. */
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
        const sight = Effect.suspend(() => progressOf(sql, context))
        const { run } = loaded
        const { run_id: runId } = run
        const at = yield* millis
        const over = stillborn(context, at)
        if (over !== null) {
          yield* executor.end(context, over)
          yield* places.release(run.org_id, runId)
          return toDirective(yield* epoch.current, run.org_id, { type: "done", ending: over }, yield* sight)
        }
        const refused = unknown === undefined ? null : yield* executor.unknown(context, unknown)
        if (refused !== null) return yield* left(context, { type: "done", ending: refused })
        // A delay needs no place to look at the clock; credits may have come before their time.
        if (run.wait_why !== "credits" && run.wait_until !== null && run.wait_until.getTime() > at) {
          return toDirective(yield* epoch.current, run.org_id, { type: "wait", until: run.wait_until }, yield* sight)
        }
        if (run.wait_why === "delay" && run.wait_until !== null) yield* starts.wasDue(run.wait_until)
        // Nor does a call to look at what it waits for: the place may be what that needs.
        const called = run.wait_why === "called_run" ? yield* executor.waits(context) : null
        if (called !== null) return yield* left(context, called)
        if (run.wait_why === "called_run" && !(yield* sql.withTransaction(turns.takeBack(run)))) {
          return yield* left(context, { type: "called", ready: [] })
        }
        const turn = yield* inTurn(context, waiting).pipe(part("wait for a place", {}))
        if (turn === "called") return null
        if (turn === "long")
          return toDirective(
            yield* epoch.current,
            run.org_id,
            { type: "more" },
            `${yield* sight}\n\nWaits: ${NO_PLACE}.`
          )
        if (turn.ok) return yield* left(context, yield* executor.segment(context, yield* slice(SLICE_MILLIS)))
        const { again, why } = turn
        // It may have been started with a place that it cannot use.
        if (why !== NO_PLACE) yield* places.release(run.org_id, runId)
        return { type: "wait", until: at + again, why, details: `${yield* sight}\n\nWaits: ${why}.` } as RunDirective
      })

      const segment: RunDriver["Service"]["segment"] = Effect.fnUntraced(
        function* (runId, waiting, unknown) {
          yield* starts.takenUp(runId)
          for (;;) {
            const directive = yield* attempt(runId, waiting, unknown)
            if (directive !== null) return directive
          }
        },
        // Another executor has it, or it has been cancelled meanwhile: what is there now counts.
        Effect.catchTag("RunTaken", () => Effect.succeed<RunDirective>({ type: "more", details: "" })),
        recoverSqlDefect
      )

      /** Between attempts a run holds no place. Nobody waits here: who stands in line for one must not fill what others need to end. */
      const backFromPause = Effect.fnUntraced(function* (context: RunContext) {
        const { wait_until, wait_why } = context.run
        if (wait_why !== "retry" || wait_until === null) return
        const rest = wait_until.getTime() - (yield* millis)
        if (rest > EARLY_MILLIS) return yield* notDueYet(rest)
        const admission = yield* admitted(context)
        if (!admission.ok) return yield* waitsFor(admission.why, Math.min(admission.again, PLACE_AGAIN_MILLIS))
      })

      const restsUntilNext = Effect.fnUntraced(function* ({ run }: RunContext, { cause, until }: Pause) {
        yield* places.release(run.org_id, run.run_id)
        const nextRetryMillis = Math.max(1, until.getTime() - (yield* millis))
        return yield* new AttemptFailed({ message: cause, nextRetryMillis })
      })

      const outside: RunDriver["Service"]["outside"] = Effect.fnUntraced(function* (runId, path, iteration, tell) {
        const failed: Array<string> = []
        const answer = yield* outsideStep(runId, path, iteration, failed)
        const [message] = failed
        if (tell !== true || message === undefined) return answer
        return yield* new OutsideStepFailed({ message, answer })
      }, recoverSqlDefect)

      /** @param failed is told why, where the step has failed for good */
      const outsideStep = Effect.fnUntraced(
        function* (runId: string, path: string, iteration: ReadonlyArray<number>, failed: Array<string>) {
          const loaded = yield* store.take(runId)
          if (loaded === null) return null
          const { cursor } = loaded.run
          if (cursor?.path !== path || iterationKey(cursor.iteration) !== iterationKey(iteration)) return null
          return yield* segmentOf(loaded)(outsideLoaded(loaded, path, iteration, failed))
        },
        Effect.catchTag("RunTaken", () => Effect.succeed(null))
      )

      const outsideLoaded = Effect.fnUntraced(function* (
        loaded: LoadedRun,
        path: string,
        iteration: ReadonlyArray<number>,
        failed: Array<string>
      ) {
        const context = yield* open(loaded, null)
        if (stillborn(context, yield* millis) !== null) return null
        yield* backFromPause(context)
        // A step over a collection is cut into slices here, not by its workflow.
        for (;;) {
          const directive = yield* executor.outside(context, { stop: draining.begun })
          if (directive.failure !== undefined) failed.push(directive.failure)
          if (directive.type === "retry") return yield* restsUntilNext(context, directive.pause)
          if (directive.type !== "more") return yield* left(context, directive)
          if (yield* draining.begun) return null
          const at = context.run.cursor
          if (at?.path !== path || iterationKey(at.iteration) !== iterationKey(iteration)) break
        }
        const behind = yield* executor.segment(context, yield* slice(BEHIND_OUTSIDE_MILLIS))
        return behind.type === "more" ? null : yield* left(context, behind)
      })

      const isOver: RunDriver["Service"]["isOver"] = (runId) =>
        Effect.map(
          rowsOf(OpenRun)(sql`
            SELECT completed_on IS NULL AND (cancel_requested_on IS NULL OR wait_why IS DISTINCT FROM 'retry') AS open
            FROM runs WHERE run_id = ${runId}::bigint`),
          ([row]) => row?.open !== true
        )

      const cancel: RunDriver["Service"]["cancel"] = Effect.fnUntraced(
        function* (runId, why) {
          const loaded = yield* store.take(runId)
          if (loaded === null) return
          yield* executor.end(yield* open(loaded, null), cancelledFor(loaded.run.cancel_reason ?? why ?? null))
          yield* places.release(loaded.run.org_id, runId)
        },
        Effect.catchTag("RunTaken", () => Effect.void),
        recoverSqlDefect
      )

      return RunDriver.of({ plain, segment, outside, isOver, cancel })
    })
  )
}
