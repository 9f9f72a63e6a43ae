// Rows of the actors: calling them, raising the fence (./raiseFence.ts), locking it, going idle, the sweep (design: actors). Lock strengths
// (docs/architecture.md): commits FOR KEY SHARE, calls and sleep FOR NO KEY UPDATE, begin FOR UPDATE.
import { Clock, Context, Effect, Layer, Schema, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { ActorTuning } from "../../platform/config/Tuning.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { type ActorKind, type Address, actorKey, Fenced } from "./ActorKind.ts"
import { addressedOf, callActors } from "./callActors.ts"
import { makeRaiseFence, type RaisedFence } from "./raiseFence.ts"

/** An actor that has just been called and needs a nudge after the commit. */
export const Called = Schema.Struct({
  actor_key: Schema.String,
  kind: Schema.String,
  id: Schema.String,
  org_id: Schema.NullOr(Schema.Int),
  /** True if its workflow is open: it waits on a timer, or has been called before. */
  open: Schema.Boolean,
  fence: Schema.Int
})
export type Called = typeof Called.Type

type Tx<A, E = never> = Effect.Effect<A, E | SqlError>

export interface ActorsShape {
  /**
   * Turns the addressed actors that are idle past the rows' due time into `called`. Run in the caller's transaction, after its mailbox
   * rows. Returns those actors: they are woken after the commit (`ActorWakes`), the others see the rows themselves.
   */
  readonly call: (addressed: ReadonlyArray<readonly [kind: string, Address]>) => Tx<ReadonlyArray<Called>>
  /** Raises the fence once the commits of the former activation are through. The scope is the activation's. */
  readonly begin: (kind: string, id: string) => Effect.Effect<RaisedFence, Fenced | SqlError, Scope.Scope>
  /** Locks the fence in the caller's transaction: no other activation can begin until it ends. */
  readonly hold: (key: string, fence: number, flushes: boolean) => Tx<void, Fenced>
  /** Records that the activation is alive; false when another activation has begun. */
  readonly seen: (key: string, fence: number) => Tx<boolean>
  /** Looks once more under lock and makes the actor idle if nothing is due; otherwise it stays active, and not `asleep`. */
  readonly sleep: (
    kind: ActorKind,
    id: string,
    fence: number
  ) => Tx<{ readonly asleep: boolean; readonly nextDueAt: Date | null }, Fenced>
  /** Ends an activation with work left: the next one follows at once. */
  readonly leaveCalled: (key: string, fence: number) => Tx<void>
  /** Calls idle actors again whose workflows were ended. */
  readonly callAgain: (keys: ReadonlyArray<string>) => Tx<void>
  /** Takes the actors that have lost their nudge, their timer or their activation, and marks them `called`. */
  readonly overdue: Tx<ReadonlyArray<Called>>
}

const dateAt = (millis: number) => new Date(millis)

export class Actors extends Context.Service<Actors, ActorsShape>()("millrace/actors/Actors") {
  static readonly layer = Layer.effect(
    Actors,
    Effect.gen(function* () {
      const sql = yield* Sql
      const tuning = yield* ActorTuning
      const currentTime = Effect.map(Clock.currentTimeMillis, dateAt)

      const call: ActorsShape["call"] = Effect.fnUntraced(function* (addressed) {
        return addressed.length === 0
          ? []
          : yield* rowsOf(Called)(
              sql`${callActors(sql, { addressed: addressedOf(addressed), now: yield* currentTime })}`
            )
      })

      const begin = makeRaiseFence(sql)

      /** Locks the fence until the transaction ends. @param flushes false: the commit need not wait for the disk */
      const lockFence = Effect.fnUntraced(function* (
        key: string,
        fence: number,
        strength: "KEY SHARE" | "NO KEY UPDATE",
        flushes = true
      ) {
        const rows = yield* sql`
          SELECT set_config('idle_in_transaction_session_timeout', ${String(tuning.idleInTransactionMillis)}, true)${sql.literal(
            flushes ? "" : ", set_config('synchronous_commit', 'off', true)"
          )}
          FROM actors WHERE actor_key = ${key} AND fence = ${fence} FOR ${sql.literal(strength)}`
        if (rows.length === 0) return yield* new Fenced({ actorKey: key })
      })

      const hold: ActorsShape["hold"] = (key, fence, flushes) => lockFence(key, fence, "KEY SHARE", flushes)

      const recordSeen: ActorsShape["seen"] = Effect.fnUntraced(function* (key, fence) {
        // Takes back a sweep that has taken a hung activation for dead. A write that was in flight while its activation went idle must not
        // set `awake`: then the actor would not be called for a minute.
        const rows = yield* sql`
          WITH unflushed AS (SELECT set_config('synchronous_commit', 'off', true))
          UPDATE actors SET seen_at = ${yield* currentTime}, state = CASE state WHEN 'asleep' THEN state ELSE 'awake' END FROM unflushed
          WHERE actor_key = ${key} AND fence = ${fence} RETURNING 1`
        return rows.length > 0
      })

      const sleep: ActorsShape["sleep"] = (kind, id, fence) => {
        const key = actorKey(kind.name, id)
        return sql.withTransaction(
          Effect.gen(function* () {
            const nowDate = yield* currentTime
            yield* lockFence(key, fence, "NO KEY UPDATE")
            const nextDueAt = yield* kind.nextDue(id)
            if (nextDueAt !== null && nextDueAt.getTime() <= nowDate.getTime()) return { asleep: false, nextDueAt }
            // Clears `seen_at`, which marks an orderly end: the next activation need not look for rows that a dead one has left.
            yield* sql`UPDATE actors SET state = 'asleep', wake_at = ${nextDueAt}, seen_at = NULL WHERE actor_key = ${key}`
            return { asleep: true, nextDueAt }
          })
        )
      }

      const leaveCalled: ActorsShape["leaveCalled"] = Effect.fnUntraced(function* (key, fence) {
        yield* sql`UPDATE actors SET state = 'called', called_at = ${yield* currentTime}
          WHERE actor_key = ${key} AND fence = ${fence}`
      })

      const callAgain: ActorsShape["callAgain"] = Effect.fnUntraced(function* (keys) {
        if (keys.length === 0) return
        yield* sql`
          WITH held AS (
            SELECT actor_key FROM actors WHERE state = 'asleep'
              AND actor_key IN (SELECT jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))
            ORDER BY actor_key FOR NO KEY UPDATE
          )
          UPDATE actors a SET state = 'called', called_at = ${yield* currentTime} FROM held WHERE a.actor_key = held.actor_key`
      })

      const overdue: ActorsShape["overdue"] = Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const timeAgo = (millis: number) => dateAt(nowMillis - millis)
        const overdueCondition = sql`(state = 'called' AND called_at < ${timeAgo(tuning.sweepCalledAfterMillis)}
          OR state = 'asleep' AND wake_at < ${timeAgo(tuning.sweepAsleepAfterMillis)}
          OR state = 'awake' AND seen_at < ${timeAgo(tuning.sweepUnseenAfterMillis)})`
        // Takes the actors called longest ago first: otherwise the same ones would be taken again and again while they wait for an
        // activation.
        return yield* rowsOf(Called)(sql`
          UPDATE actors SET state = 'called', called_at = ${dateAt(nowMillis)}
          FROM (
            SELECT actor_key AS key FROM actors
            WHERE ${overdueCondition} AND actor_key IN (
              SELECT actor_key FROM actors WHERE ${overdueCondition} ORDER BY called_at NULLS FIRST LIMIT ${tuning.sweepAtMost})
            ORDER BY actor_key FOR NO KEY UPDATE SKIP LOCKED
          ) AS late
          WHERE actors.actor_key = late.key
          RETURNING actors.actor_key, actors.kind, actors.id, actors.org_id, true AS open, actors.fence`)
      })

      return Actors.of({ call, begin, hold, seen: recordSeen, sleep, leaveCalled, callAgain, overdue })
    })
  )
}
