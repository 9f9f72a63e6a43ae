// Bounds the number of runs that have a workflow but no step yet (developer-api.md 7.11 rule 7: the rest waits). The bound adapts to what
// Temporal, the workers and Postgres take up in time. A started run costs them tasks, a waiting one is only a row.
import { Clock, Context, Deferred, Effect, Exit, Fiber, Latch, Layer, Option, Schema } from "effect"
import type { TemporalFailed } from "../../../engine/temporal/TemporalFailed.ts"
import { makeAdaptiveLimit } from "../../../platform/fairness/AdaptiveLimit.ts"
import { makeSlotMetrics } from "../../../platform/fairness/slotMetrics.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"

/**
 * Time from the start of a workflow to the first segment of its run, or from the end of a delay to the next segment, that counts as slow.
 * Under low load it is 50 ms.
 */
const SLOW_MILLIS = 1_000
/**
 * Minimum of the adaptive limit, what two processors can handle. A lower one would leave them idle if something other than the runs causes
 * the slowness.
 */
const LEAST = 16
const FIRST = 32
const MOST = 500
/** Additional starts for organizations that have none in flight while others use up the limit. */
const RESERVE = 4
/** Time after which a started run no longer counts here; its workflow continues at some time. */
const PATIENCE = "30 seconds"
/** Interval of the query for runs that other processes have taken up. */
const LOOK_EVERY = "200 millis"
/** Number of runs with a begun delay per workflow that asks for a segment first; the other workflows set their timer without asking. */
const ONE_ASKS_OF = 8

const RunId = Schema.Struct({ run_id: Schema.String })

/** Run whose workflow has been started, without a segment yet. */
interface UnderWay {
  readonly bell: Latch.Latch
  /** Fence at the start; a segment raises it. */
  readonly fence: number
}

/** Owner of a run: starts are scheduled fairly between organizations and, within them, between apps. */
export interface StartOwner {
  readonly org_id: number
  readonly app_id: number
}

export class RunStarts extends Context.Service<
  RunStarts,
  {
    /**
     * Starts the run's workflow when it is the run's turn. `asks`: the workflow has to ask for a segment first. If it is interrupted before
     * that, nothing is started. If a start is refused, Temporal is away: all waiting starts are refused with it.
     * @param begun the fence of a run whose delay has begun; most of these count as taken up together with a run of their kind that was
     * started before them
     */
    readonly inTurn: (
      owner: StartOwner,
      runId: string,
      begun?: number
    ) => (start: (asks: boolean) => Effect.Effect<void, TemporalFailed>) => Effect.Effect<void, TemporalFailed>
    /** Waits until a segment of a run that another workflow starts begins, in any process, or the run ends. Returns false after 30 seconds. */
    readonly awaitBeginning: (runId: string) => Effect.Effect<boolean>
    /** Reports that a segment of the run begins in this process. */
    readonly takenUp: (runId: string) => Effect.Effect<void>
    /** Reports that a run that was due at `at`, back from a delay, begins now. A late one shows that the load is too high. */
    readonly wasDue: (at: Date) => Effect.Effect<void>
  }
>()("millrace/automations/durable/RunStarts") {
  static readonly layer = Layer.effect(
    RunStarts,
    Effect.gen(function* () {
      const sql = yield* Sql
      const scope = yield* Effect.scope
      const adaptive = makeAdaptiveLimit({ least: LEAST, first: FIRST, most: MOST, slowMillis: SLOW_MILLIS })
      const startSlots = yield* makeSlotMetrics("starts", { places: adaptive.limit, reserve: RESERVE })
      const pendingStarts = new Set<Deferred.Deferred<void, TemporalFailed>>()
      const underWay = new Map<string, UnderWay>()
      const takenUp = (runId: string) => underWay.get(runId)?.bell.open ?? Effect.void
      let requestedSegment = { bell: Latch.makeUnsafe(true), followers: 0 }

      const followRun = (runId: string, fence: number) => {
        const bell = Latch.makeUnsafe(false)
        underWay.set(runId, { bell, fence })
        return bell
      }

      /** Decides whether the run's workflow asks for a segment, and which run's segment frees its slot. */
      const enter = (runId: string, begun: number | undefined) => {
        if (begun !== undefined && requestedSegment.followers > 0) {
          requestedSegment.followers--
          return { asks: false, bell: requestedSegment.bell }
        }
        const bell = followRun(runId, begun ?? 1)
        if (begun !== undefined) requestedSegment = { bell, followers: ONE_ASKS_OF - 1 }
        return { asks: true, bell }
      }

      const awaitBeginning: RunStarts["Service"]["awaitBeginning"] = (runId) =>
        Effect.suspend(() => Effect.timeoutOption(followRun(runId, 1).await, PATIENCE)).pipe(
          Effect.map(Option.isSome),
          Effect.ensuring(Effect.sync(() => underWay.delete(runId)))
        )

      /** Waits until a segment of the run begins, in any process. */
      const watch = Effect.fnUntraced(function* (bell: Latch.Latch, from: number) {
        yield* Effect.timeoutOption(bell.await, PATIENCE)
        const reached = startSlots.state().taken >= adaptive.limit()
        adaptive.saw({ from, now: yield* Clock.currentTimeMillis, reached })
      })

      const begin = Effect.fnUntraced(function* (
        runId: string,
        begun: number | undefined,
        start: (asks: boolean) => Effect.Effect<void, TemporalFailed>,
        started: Deferred.Deferred<void, TemporalFailed>
      ) {
        if (!pendingStarts.delete(started)) return
        const from = yield* Clock.currentTimeMillis
        const { asks, bell } = enter(runId, begun)
        // An interrupted start asks for nothing: this frees the slots of the runs that were to be taken up with it.
        const exit = yield* Effect.exit(start(asks)).pipe(Effect.onInterrupt(() => bell.open))
        const failedStarts = Exit.isSuccess(exit) ? [] : [...pendingStarts]
        for (const other of failedStarts) pendingStarts.delete(other)
        yield* Effect.forEach([...failedStarts, started], (one) => Deferred.done(one, exit), { discard: true })
        if (Exit.isSuccess(exit)) yield* watch(bell, from)
        else yield* bell.open
      })

      const wasDue = (at: Date) =>
        Effect.map(Clock.currentTimeMillis, (now) => adaptive.saw({ from: at.getTime(), now, reached: false }))

      const inTurn: RunStarts["Service"]["inTurn"] = ({ app_id, org_id }, runId, begun) =>
        Effect.fnUntraced(function* (start) {
          const started = yield* Deferred.make<void, TemporalFailed>()
          pendingStarts.add(started)
          const startFiber = yield* begin(runId, begun, start, started).pipe(
            Effect.ensuring(Effect.sync(() => underWay.delete(runId))),
            startSlots.use(org_id, app_id),
            Effect.forkIn(scope)
          )
          return yield* Deferred.await(started).pipe(
            Effect.onError(() => Fiber.interrupt(startFiber)),
            Effect.ensuring(Effect.sync(() => pendingStarts.delete(started)))
          )
        })

      yield* Effect.suspend(() =>
        underWay.size === 0
          ? Effect.void
          : rowsOf(RunId)(sql`
              SELECT r.run_id::text FROM unnest(${[...underWay.keys()]}::text[]::bigint[],
                ${[...underWay.values()].map(({ fence }) => String(fence))}::text[]::bigint[]) AS u (run_id, fence)
              JOIN runs r USING (run_id) WHERE r.fence > u.fence OR r.completed_on IS NOT NULL`).pipe(
              Effect.flatMap((rows) => Effect.forEach(rows, ({ run_id }) => takenUp(run_id), { discard: true }))
            )
      ).pipe(
        Effect.catchCause((cause) => Effect.logDebug("runs that were started were not looked at", cause)),
        Effect.andThen(Effect.sleep(LOOK_EVERY)),
        Effect.forever,
        Effect.forkScoped
      )

      return RunStarts.of({ inTurn, awaitBeginning, takenUp, wasDue })
    })
  )
}
