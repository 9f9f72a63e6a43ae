// How many runs have their workflow and no step yet (developer-api.md 7.11 rule 7: the rest waits): as many as Temporal, the workers and
// Postgres take up in time. A run that has begun costs them tasks, one that has not is a row; so what cannot be borne waits as rows.
import { Clock, Context, Deferred, Effect, Exit, Fiber, Latch, Layer, Schema } from "effect"
import type { TemporalFailed } from "../../../engine/temporal/TemporalFailed.ts"
import { makeAdaptiveLimit } from "../../../ground/fairness/AdaptiveLimit.ts"
import { makeShownPlaces } from "../../../ground/fairness/shown.ts"
import { rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"

/** From the start of a workflow to the first segment of its run, or from the end of a delay to the next; with little to do, 50 ms. */
const SLOW_MILLIS = 1_000
/** What two processors bear. Fewer would leave them idle where others are what makes it slow, and not the runs. */
const LEAST = 16
const FIRST = 32
const MOST = 500
/** For organizations that have none under way while others fill all. */
const RESERVE = 4
/** A run that was not taken up by then is none of this process's cares; its workflow will go on some time. */
const PATIENCE = "30 seconds"
/** What other processes have taken up. */
const LOOK_EVERY = "200 millis"
/** Of the runs that have begun their wait already, which their workflow could follow unasked, one in so many asks all the same. */
const ONE_ASKS_OF = 8

const RunId = Schema.Struct({ run_id: Schema.String })

/** Started, and without a segment yet. */
interface UnderWay {
  readonly bell: Latch.Latch
  /** A segment raises it. */
  readonly fence: number
}

/** Whose run it is: organizations take turns, and their apps. */
export interface StartOwner {
  readonly org_id: number
  readonly app_id: number
}

export class RunStarts extends Context.Service<
  RunStarts,
  {
    /**
     * Starts the run's workflow when it is its turn; `asks`: its workflow is to ask for a segment first. Interrupted before that, nothing is started. Where a start is refused, all that wait
     * are refused with it: Temporal is away.
     * @param begun the fence of a run that waits already: most of these are taken up when one is that was started before them
     */
    readonly inTurn: (
      owner: StartOwner,
      runId: string,
      begun?: number
    ) => (start: (asks: boolean) => Effect.Effect<void, TemporalFailed>) => Effect.Effect<void, TemporalFailed>
    /** A segment of the run begins in this process. */
    readonly takenUp: (runId: string) => Effect.Effect<void>
    /** One that was due at this instant, back from a delay, begins now: late, there is too much to do already. */
    readonly wasDue: (at: Date) => Effect.Effect<void>
  }
>()("millrace/automations/durable/RunStarts") {
  static readonly layer = Layer.effect(
    RunStarts,
    Effect.gen(function* () {
      const sql = yield* Sql
      const scope = yield* Effect.scope
      const adaptive = makeAdaptiveLimit({ least: LEAST, first: FIRST, most: MOST, slowMillis: SLOW_MILLIS })
      const places = yield* makeShownPlaces("starts", { places: adaptive.limit, reserve: RESERVE })
      const waiting = new Set<Deferred.Deferred<void, TemporalFailed>>()
      const underWay = new Map<string, UnderWay>()
      const takenUp = (runId: string) => underWay.get(runId)?.bell.open ?? Effect.void
      let asked = { bell: Latch.makeUnsafe(true), followers: 0 }

      /** Whether it asks, and whose segment is waited for. */
      const enter = (runId: string, begun: number | undefined) => {
        if (begun !== undefined && asked.followers > 0) {
          asked.followers--
          return { asks: false, bell: asked.bell }
        }
        const bell = Latch.makeUnsafe(false)
        underWay.set(runId, { bell, fence: begun ?? 1 })
        if (begun !== undefined) asked = { bell, followers: ONE_ASKS_OF - 1 }
        return { asks: true, bell }
      }

      /** Until a segment of it begins, wherever that is. */
      const watch = Effect.fnUntraced(function* (bell: Latch.Latch, from: number) {
        yield* Effect.timeoutOption(bell.await, PATIENCE)
        const reached = places.state().taken >= adaptive.limit()
        adaptive.saw({ from, now: yield* Clock.currentTimeMillis, reached })
      })

      const begin = Effect.fnUntraced(function* (
        runId: string,
        begun: number | undefined,
        start: (asks: boolean) => Effect.Effect<void, TemporalFailed>,
        started: Deferred.Deferred<void, TemporalFailed>
      ) {
        if (!waiting.delete(started)) return
        const from = yield* Clock.currentTimeMillis
        const { asks, bell } = enter(runId, begun)
        // Interrupted, it asks for nothing: those that were to be taken up with it wait for nobody.
        const exit = yield* Effect.exit(start(asks)).pipe(Effect.onInterrupt(() => bell.open))
        const refused = Exit.isSuccess(exit) ? [] : [...waiting]
        for (const other of refused) waiting.delete(other)
        yield* Effect.forEach([...refused, started], (one) => Deferred.done(one, exit), { discard: true })
        if (Exit.isSuccess(exit)) yield* watch(bell, from)
        else yield* bell.open
      })

      const wasDue = (at: Date) =>
        Effect.map(Clock.currentTimeMillis, (now) => adaptive.saw({ from: at.getTime(), now, reached: false }))

      const inTurn: RunStarts["Service"]["inTurn"] = ({ app_id, org_id }, runId, begun) =>
        Effect.fnUntraced(function* (start) {
          const started = yield* Deferred.make<void, TemporalFailed>()
          waiting.add(started)
          const turn = yield* begin(runId, begun, start, started).pipe(
            Effect.ensuring(Effect.sync(() => underWay.delete(runId))),
            places.use(org_id, app_id),
            Effect.forkIn(scope)
          )
          return yield* Deferred.await(started).pipe(
            Effect.onError(() => Fiber.interrupt(turn)),
            Effect.ensuring(Effect.sync(() => waiting.delete(started)))
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

      return RunStarts.of({ inTurn, takenUp, wasDue })
    })
  )
}
