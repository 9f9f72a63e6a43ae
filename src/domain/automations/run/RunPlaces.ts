// At most 50 runs of an organization execute at once; the rest wait in order and are never dropped (developer-api.md 7.11 rule 7).
// A run that waits in a delay holds no place. Nobody holds a lock that another waits for: whoever enters the line or gives a place
// back looks once its transaction is over, so that the later of the two sees both.
import { Clock, Context, Effect, Layer, PartitionedSemaphore, Queue, RcMap, Schema, type Scope } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { AppConfig } from "../../../ground/config/Config.ts"
import { inBrief } from "../../../ground/sql/away.ts"
import type { Slots } from "../../../ground/sql/compiledOnce.ts"
import { rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { makeLine, type StandingInLine } from "./placeLine.ts"
import { type InstantValues, placeStatements } from "./placeStatements.ts"

/** Until others have committed what they are changing. */
const AGAIN = "20 millis"

const RunId = Schema.Struct({ run_id: Schema.String })

const Organization = Schema.Struct({ org_id: Schema.Int })

const Waiting = Schema.Struct({ waiting: Schema.Boolean })

/** Places that runs of a process hold for an instant: no more than the organization has, and its apps take turns. */
export interface Instants {
  /** So many an organization has. */
  readonly most: number
  /** With so many of them, once they are free. */
  readonly hold: (appId: number, places: number) => <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export class RunPlaces extends Context.Service<
  RunPlaces,
  {
    /** In the caller's transaction, of runs that nobody else knows yet: those that got a place. The others are in the line. */
    readonly take: (orgId: number, runIds: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, SqlError>
    /** Part of a statement in which runs begin and end: their places, as `open`. Behind it `freed`, as after any end. */
    readonly forAnInstant: (given: Slots<InstantValues>) => Statement.Fragment
    /** For runs of this process that begin and end in one statement. */
    readonly instants: (orgId: number) => Effect.Effect<Instants, never, Scope.Scope>
    /** Outside of any transaction: whether the run has a place now. Else it is in the line. */
    readonly ask: (orgId: number, runId: string) => Effect.Effect<boolean, SqlError>
    /** Before `ask`: the run can wait where it is until it is called. Null: too many do. */
    readonly stand: (orgId: number, runId: string) => Effect.Effect<StandingInLine | null, never, Scope.Scope>
    /** Gives the run's place back and has the next in the line called, if any. */
    readonly release: (orgId: number, runId: string) => Effect.Effect<void, SqlError>
    /** Says that places of the organization have come free, as at the end of a run: one look for all those at about the same time. */
    readonly freed: (orgId: number) => Effect.Effect<void>
    /** Has every line looked at: who should have may have died. */
    readonly lookAtAll: Effect.Effect<void, SqlError>
  }
>()("millrace/automations/run/RunPlaces") {
  static readonly layer = Layer.effect(
    RunPlaces,
    Effect.gen(function* () {
      const sql = yield* Sql
      const outbox = yield* Outbox
      const scope = yield* Effect.scope
      const { runsConcurrent } = yield* AppConfig
      const statements = placeStatements(sql, runsConcurrent)
      const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
      const line = yield* makeLine((runIds) =>
        Effect.map(
          rowsOf(RunId)(sql`
            SELECT run_id::text FROM runs WHERE run_id = ANY(${runIds as Array<string>}::text[]::bigint[])
              AND (place_wanted_on IS NULL OR cancel_requested_on IS NOT NULL OR completed_on IS NOT NULL)`),
          (rows) => rows.map(({ run_id }) => run_id)
        )
      )
      const shared = yield* RcMap.make({
        lookup: (_orgId: number) => PartitionedSemaphore.make<number>({ permits: runsConcurrent })
      })
      const organizations = yield* Queue.unbounded<number>()
      const freed = (orgId: number) => Effect.asVoid(Queue.offer(organizations, orgId))

      const take = Effect.fnUntraced(function* (orgId: number, runIds: ReadonlyArray<string>) {
        if (runIds.length === 0) return new Set<string>()
        const placed = new Set((yield* statements.take(orgId, runIds, yield* now)).map(({ run_id }) => run_id))
        // A place may have been given back before others saw these runs in the line.
        if (placed.size < runIds.length) yield* sql.afterCommit(freed(orgId))
        return placed
      })

      const callNext = Effect.fnUntraced(function* (orgId: number) {
        const { again, called, woken } = (yield* statements.call(orgId, line.standing(orgId), yield* now))!
        yield* line.call(called)
        if (woken > 0) yield* outbox.announce
        if (again) yield* Effect.forkIn(Effect.andThen(Effect.sleep(AGAIN), freed(orgId)), scope)
      })

      const ask = Effect.fnUntraced(function* (orgId: number, runId: string) {
        if ((yield* statements.take(orgId, [runId], yield* now)).length > 0) return true
        yield* callNext(orgId)
        return (yield* statements.holds(runId)) !== undefined
      })

      const look = Effect.fnUntraced(
        function* (orgId: number) {
          const row = yield* rowOf(Waiting)(sql`
          SELECT EXISTS (SELECT 1 FROM runs WHERE org_id = ${orgId} AND place_wanted_on IS NOT NULL) AS waiting`)
          if (row?.waiting === true) yield* callNext(orgId)
          // One that fails is looked at again after a while (Reconcile.ts), and keeps no other from its turn.
        },
        Effect.catchCause((cause) => Effect.logDebug("calling the next runs failed", inBrief(cause)))
      )
      yield* Queue.takeAll(organizations).pipe(
        Effect.flatMap((ids) => Effect.forEach(new Set(ids), look, { discard: true })),
        Effect.forever,
        Effect.forkScoped
      )

      const release = Effect.fnUntraced(function* (orgId: number, runId: string) {
        yield* sql`DELETE FROM run_places WHERE run_id = ${runId}::bigint`
        yield* freed(orgId)
      })

      const lookAtAll = Effect.flatMap(
        rowsOf(Organization)(sql`SELECT DISTINCT org_id FROM runs WHERE place_wanted_on IS NOT NULL`),
        (lines) =>
          Effect.asVoid(
            Queue.offerAll(
              organizations,
              lines.map(({ org_id }) => org_id)
            )
          )
      )

      return RunPlaces.of({
        take,
        forAnInstant: statements.forAnInstant,
        instants: (orgId) =>
          Effect.map(RcMap.get(shared, orgId), ({ withPermits }) => ({ most: runsConcurrent, hold: withPermits })),
        ask,
        stand: line.stand,
        release,
        freed,
        lookAtAll
      })
    })
  )
}
