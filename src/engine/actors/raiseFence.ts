// Raises the fence of an actor for an activation that begins (docs/architecture/actors.md, "Who may commit"), and says when it is on the disk.
import { Clock, Deferred, Effect, Exit, Schema, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { onReservedConnection } from "../../platform/sql/reservedConnection.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { actorKey, Fenced } from "./ActorKind.ts"

const Raised = Schema.Struct({
  fence: Schema.Int,
  org_id: Schema.NullOr(Schema.Int),
  /** True if the former activation went idle, or there was none: nothing was left in flight. */
  orderly: Schema.Boolean
})

export interface RaisedFence extends Schema.Schema.Type<typeof Raised> {
  /**
   * Waits until the fence would survive a crash of the database, which otherwise gives it to another process; fails if the database has
   * forgotten it. Before that the activation commits nothing but a claim.
   */
  readonly onDisk: Effect.Effect<void, Fenced | SqlError>
}

export const makeRaiseFence = (sql: Sql) => {
  /** Raises the fence. The commit is not on the disk yet when it is answered. */
  const raise = (key: string, at: Date) =>
    rowsOf(Raised)(sql`
      WITH unflushed AS (SELECT set_config('synchronous_commit', 'off', true)),
      mine AS (SELECT actor_key, seen_at IS NULL AS orderly FROM actors WHERE actor_key = ${key} FOR UPDATE)
      UPDATE actors a SET fence = a.fence + 1, state = 'awake', seen_at = ${at}
      FROM unflushed, mine WHERE a.actor_key = mine.actor_key RETURNING a.fence, a.org_id, mine.orderly`)

  const make = (key: string, kind: string, id: string) => sql`
    INSERT INTO actors (actor_key, kind, id, state) VALUES (${key}, ${kind}, ${id}, 'called') ON CONFLICT (actor_key) DO NOTHING`

  /**
   * Locks the row, which counts as a write: its commit waits for the disk, with everything before it. Uses the connection that raised the
   * fence, since that breaks down with the database. A pooler's connection survives, and might meet a row that another process has raised
   * as far, at another time.
   */
  const lasts = Effect.fnUntraced(function* (key: string, fence: number, at: Date) {
    const fenceCheck = yield* sql`
      SELECT 1 FROM actors WHERE actor_key = ${key} AND fence = ${fence} AND seen_at = ${at} FOR KEY SHARE`
    if (fenceCheck.length === 0) return yield* new Fenced({ actorKey: key })
  })

  return Effect.fnUntraced(function* (
    kind: string,
    id: string
  ): Effect.fn.Return<RaisedFence, Fenced | SqlError, Scope.Scope> {
    const key = actorKey(kind, id)
    const beganAt = new Date(yield* Clock.currentTimeMillis)
    const raised = yield* Deferred.make<typeof Raised.Type, Fenced | SqlError>()
    const onDisk = yield* Deferred.make<void, Fenced | SqlError>()
    const raising = Effect.flatMap(raise(key, beganAt), (rows) =>
      rows.length > 0 ? Effect.succeed(rows) : Effect.andThen(make(key, kind, id), raise(key, beganAt))
    )
    // Uses a connection of its own, since raising the fence may wait for a commit of the former activation.
    yield* onReservedConnection(sql)(
      Effect.flatMap(raising, ([row]) =>
        Effect.andThen(Deferred.succeed(raised, row!), lasts(key, row!.fence, beganAt))
      )
    ).pipe(
      Effect.onExit((exit) => {
        if (Exit.isFailure(exit)) Deferred.doneUnsafe(raised, Effect.failCause(exit.cause))
        return Deferred.done(onDisk, exit)
      }),
      Effect.forkScoped
    )
    return { ...(yield* Deferred.await(raised)), onDisk: Deferred.await(onDisk) }
  })
}
