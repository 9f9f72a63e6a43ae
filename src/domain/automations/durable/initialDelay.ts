// Begins the delay at which a run stands, in its automations actor: the run's workflow then only sets a timer and asks for no segment
// (developer-api.md 7.6; docs/architecture/runs.md, "How runs come to their places").
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { RunDirective } from "../../../engine/temporal/messages.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { recoverSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { Cursor, Plan } from "../model/Plan.ts"
import type { LoadedRun, RunRow } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { SegmentExecutor } from "../steps/SegmentExecutor.ts"
import { makeExecution, segmentOf } from "./runExecution.ts"
import { startRefusal } from "./startRefusal.ts"

export const standsAtWait = ({ nodes }: Plan, cursor: Cursor | null): boolean =>
  cursor !== null && nodes.get(cursor.path)?.kind === "wait"

type Waits = Pick<RunRow, "wait_why" | "wait_until">

/** True if the delay has begun and has not ended. */
export const isInDelay = <W extends Waits>(run: W, at: number): run is W & { readonly wait_until: Date } =>
  run.wait_why === "delay" && run.wait_until !== null && run.wait_until.getTime() > at

/** First directive of the run's workflow, and the fence of the run after the delay has begun. */
interface BegunWait {
  readonly directive: RunDirective
  readonly fence: number
}

/** Functions that begin a delay; null: the run's workflow has to ask for a segment. */
export interface InitialDelay {
  /** Begins the delay of a run that stands at it. The run holds a slot and keeps it. With null it is pending: nothing executes it. */
  readonly begin: (runId: string) => Effect.Effect<BegunWait | null, SqlError>
  /** Returns a delay whose workflow an earlier process failed to start, or died before it did. The run's row stays as it is. */
  readonly found: (runId: string) => Effect.Effect<BegunWait | null, SqlError>
}

const oneStep = { stop: Effect.succeed(true) }

export const makeInitialDelay = Effect.gen(function* () {
  const sql = yield* Sql
  const store = yield* RunStore
  const executor = yield* SegmentExecutor
  const { open, told } = yield* makeExecution

  const beginLoaded = Effect.fnUntraced(function* (loaded: LoadedRun) {
    const context = yield* open(loaded, null)
    if (startRefusal(context, yield* Clock.currentTimeMillis) !== null) return null
    const directive = yield* executor.segment(context, oneStep)
    // A cancellation meanwhile, a date in the past, or a failed step leaves nothing to wait for.
    if (directive.type !== "wait" || context.run.cancel_requested_on !== null) return null
    return { directive: yield* told(context, directive), fence: context.run.fence }
  })

  const begin: InitialDelay["begin"] = Effect.fnUntraced(
    function* (runId) {
      const loaded = yield* store.take(runId)
      if (loaded === null) return null
      const begunWait = yield* segmentOf(loaded)(beginLoaded(loaded))
      if (begunWait === null)
        yield* sql`UPDATE runs SET status = 'pending'
          WHERE run_id = ${runId}::bigint AND fence = ${loaded.run.fence} AND status = 'running'`
      return begunWait
    },
    Effect.catchTag("RunTaken", () => Effect.succeed(null)),
    recoverSqlDefect
  )

  const findWait: InitialDelay["found"] = Effect.fnUntraced(function* (runId) {
    const loaded = yield* store.read(runId)
    const nowMillis = yield* Clock.currentTimeMillis
    if (loaded === null || loaded.run.status !== "running" || !isInDelay(loaded.run, nowMillis)) return null
    const context = yield* open(loaded, null)
    if (startRefusal(context, nowMillis) !== null) return null
    const { fence, wait_until } = loaded.run
    return { directive: yield* told(context, { type: "wait", until: wait_until }), fence }
  }, recoverSqlDefect)

  return { begin, found: findWait } satisfies InitialDelay
})
