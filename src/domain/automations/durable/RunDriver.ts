// Takes runs over and executes them (design: automations as durable executions; developer-api.md 7.11 run semantics 5 to 7). A plain run is
// executed immediately in its actor (./plainRun.ts), a durable one segment by segment for its workflow (./runSegment.ts, ./outsideStep.ts).
// A delay at its beginning is started by the actor (./initialDelay.ts).
import { Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { recoverSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import { RunStore } from "../run/RunStore.ts"
import { cancelledFor } from "../run/runEntries.ts"
import { SegmentExecutor } from "../steps/SegmentExecutor.ts"
import { type BoundAttempts, makeBoundAttempts } from "./attemptLimit.ts"
import { type InitialDelay, makeInitialDelay } from "./initialDelay.ts"
import { makeOutsideStep, type OutsideStep } from "./outsideStep.ts"
import { makePlainRun, type PlainRun } from "./plainRun.ts"
import { makeExecution } from "./runExecution.ts"
import { makeRunSegment, type RunSegment } from "./runSegment.ts"

const OpenRun = Schema.Struct({ open: Schema.Boolean })

export class RunDriver extends Context.Service<
  RunDriver,
  {
    readonly plain: PlainRun
    readonly firstWait: InitialDelay
    readonly segment: RunSegment
    readonly outside: OutsideStep
    /** Wraps a segment or an outside step that runs in an activity. */
    readonly bound: BoundAttempts
    /** True if the run has ended: there is nothing to do or to wait for. */
    readonly isOver: (runId: string) => Effect.Effect<boolean, SqlError>
    /**
     * Ends the run as cancelled, whichever process executes it. @param why reason, if no user has requested the cancellation of this run
     */
    readonly cancel: (runId: string, why?: string) => Effect.Effect<void, SqlError>
  }
>()("millrace/automations/durable/RunDriver") {
  static readonly layer = Layer.effect(
    RunDriver,
    Effect.gen(function* () {
      const sql = yield* Sql
      const store = yield* RunStore
      const executor = yield* SegmentExecutor
      const runSlots = yield* OrganizationSlots
      const { open } = yield* makeExecution
      const executePlain = yield* makePlainRun
      const firstWait = yield* makeInitialDelay
      const segment = yield* makeRunSegment
      const outside = yield* makeOutsideStep
      const bound = yield* makeBoundAttempts

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
          yield* runSlots.release(loaded.run.org_id, runId)
        },
        Effect.catchTag("RunTaken", () => Effect.void),
        recoverSqlDefect
      )

      return RunDriver.of({ plain: executePlain, firstWait, segment, outside, bound, isOver, cancel })
    })
  )
}
