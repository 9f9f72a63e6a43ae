// Concurrency slots of organizations: at most `RUNS_CONCURRENT` (50) runs execute at once. The others wait in a queue and are never dropped
// (developer-api.md 7.11 rule 7). A run in a delay holds no slot. No transaction waits for the lock of another. A process that queues a run
// or releases a slot looks for the next runs after its transaction, so that the later of the two sees both changes.
import { Clock, Context, Effect, Layer, PartitionedSemaphore, Queue, RcMap, Schema, type Scope } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import type { Slots } from "../../../platform/sql/compiledOnce.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { transactOne } from "../../../platform/sql/transact.ts"
import { inBrief } from "../../../platform/sql/transientErrors.ts"
import { makeSlotQueue, type QueuedRun } from "./slotQueue.ts"
import { type InstantValues, RunId, slotStatements } from "./slotStatements.ts"

/** Delay of the next attempt, so that concurrent transactions can commit meanwhile. */
const AGAIN = "20 millis"

const Organization = Schema.Struct({ org_id: Schema.Int })

/** Slots that runs of this process hold for one statement: no more than the organization has, with fair scheduling between its apps. */
export interface InstantSlots {
  /** Number of slots of the organization. */
  readonly most: number
  /** Runs `self` while it holds this many slots, as soon as they are free. */
  readonly hold: (appId: number, places: number) => <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export class OrganizationSlots extends Context.Service<
  OrganizationSlots,
  {
    /**
     * Takes slots for runs that no other transaction knows yet; call it in the caller's transaction. Returns the runs that got a slot; the
     * others are in the queue.
     */
    readonly take: (orgId: number, runIds: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, SqlError>
    /** Part of a statement in which runs begin: their slots, as `open`. Call `freed` afterwards if runs end in it, as after any end. */
    readonly forAnInstant: (given: Slots<InstantValues>) => Statement.Fragment
    /** Slots for runs of this process that begin and end in one statement. */
    readonly instants: (orgId: number) => Effect.Effect<InstantSlots, never, Scope.Scope>
    /** Returns true if the run holds a slot now; else it is in the queue. Call it outside of any transaction. */
    readonly ask: (orgId: number, runId: string) => Effect.Effect<boolean, SqlError>
    /** Lets the run wait in this process until it is called; call it before `ask`. Null: too many runs wait here already. */
    readonly stand: (orgId: number, runId: string) => Effect.Effect<QueuedRun | null, never, Scope.Scope>
    /**
     * Releases the run's slot and calls the next run in the queue, if there is one.
     * @param fence the run's fence as the caller knows it: another executor that has taken the run since, and executes it, keeps the slot
     */
    readonly release: (orgId: number, runId: string, fence?: number) => Effect.Effect<void, SqlError>
    /**
     * Reports that slots of the organization became free, as at the end of a run. Reports that come at about the same time share one query.
     */
    readonly freed: (orgId: number) => Effect.Effect<void>
    /** Checks every queue: the process that had to call the next runs may have died. */
    readonly lookAtAll: Effect.Effect<void, SqlError>
  }
>()("millrace/automations/run/OrganizationSlots") {
  static readonly layer = Layer.effect(
    OrganizationSlots,
    Effect.gen(function* () {
      const sql = yield* Sql
      const outbox = yield* Outbox
      const scope = yield* Effect.scope
      const { runsConcurrent } = yield* AppConfig
      const statements = slotStatements(sql, runsConcurrent)
      const retried = transactOne(sql)
      const currentDate = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
      const runQueue = yield* makeSlotQueue((runIds) =>
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
        const placed = new Set((yield* statements.take(orgId, runIds, yield* currentDate)).map(({ run_id }) => run_id))
        // Another transaction may have released a slot before these runs were visible in the queue.
        if (placed.size < runIds.length) yield* sql.afterCommit(freed(orgId))
        return placed
      })

      const callNext = Effect.fnUntraced(function* (orgId: number) {
        const next = statements.call(orgId, runQueue.standing(orgId), yield* currentDate)
        const { again, called, woken } = (yield* retried(next))!
        yield* runQueue.call(called)
        if (woken > 0) yield* outbox.announce
        if (again) yield* Effect.forkIn(Effect.andThen(Effect.sleep(AGAIN), freed(orgId)), scope)
      })

      const ask = Effect.fnUntraced(function* (orgId: number, runId: string) {
        const takeSlot = Effect.flatMap(currentDate, (at) => retried(statements.take(orgId, [runId], at)))
        if ((yield* takeSlot).length > 0) return true
        yield* callNext(orgId)
        return (yield* takeSlot).length > 0
      })

      const callWaiting = Effect.fnUntraced(
        function* (orgId: number) {
          const queuedRuns =
            yield* sql`SELECT 1 FROM runs WHERE org_id = ${orgId} AND place_wanted_on IS NOT NULL LIMIT 1`
          if (queuedRuns.length > 0) yield* callNext(orgId)
          // A failed look is repeated later (Reconcile.ts) and does not stop the other organizations.
        },
        Effect.catchCause((cause) => Effect.logDebug("calling the next runs failed", inBrief(cause)))
      )
      yield* Queue.takeAll(organizations).pipe(
        Effect.flatMap((ids) => Effect.forEach(new Set(ids), callWaiting, { discard: true })),
        Effect.forever,
        Effect.forkScoped
      )

      const release = Effect.fnUntraced(function* (orgId: number, runId: string, fence?: number) {
        yield* retried(sql`
          WITH run AS MATERIALIZED (
            SELECT fence <> ${fence ?? null}::bigint AND status = 'running' AND wait_why IS NULL AND wait_until IS NULL AS executes
            FROM runs WHERE run_id = ${runId}::bigint FOR NO KEY UPDATE
          )
          DELETE FROM run_places WHERE run_id = ${runId}::bigint AND NOT EXISTS (SELECT 1 FROM run WHERE executes)`)
        yield* freed(orgId)
      })

      const lookAtAll = Effect.flatMap(
        rowsOf(Organization)(sql`SELECT DISTINCT org_id FROM runs WHERE place_wanted_on IS NOT NULL`),
        (lines) => Effect.forEach(lines, ({ org_id }) => freed(org_id), { discard: true })
      )

      return OrganizationSlots.of({
        take,
        forAnInstant: statements.forAnInstant,
        instants: (orgId) =>
          Effect.map(RcMap.get(shared, orgId), ({ withPermits }) => ({ most: runsConcurrent, hold: withPermits })),
        ask,
        stand: runQueue.stand,
        release,
        freed,
        lookAtAll
      })
    })
  )
}
