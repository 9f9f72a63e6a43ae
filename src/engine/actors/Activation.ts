// Everything a running activation offers its kind: commits under the fence, a batching committer, the signal to stop.
import { Duration, Effect, type Latch, Random, Schedule, Scope } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { ActorTuning } from "../../platform/config/Tuning.ts"
import type { FairPlaces, Owner } from "../../platform/fairness/FairPlaces.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { recoverSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { isTransient, mayBeDone } from "../../platform/sql/transientErrors.ts"
import { type Activation, type ActorKind, actorKey, Fenced } from "./ActorKind.ts"
import { Actors } from "./Actors.ts"
import { makeBatchedResults } from "./batchedResults.ts"
import type { RaisedFence } from "./raiseFence.ts"

/** When an activation claims next (docs/architecture/flow.md, "One flow"). Instants in milliseconds. */
export interface NextLook {
  /** The next claim is worth it. */
  at: number
  /** Earliest instant that the kind has announced since the last claim. */
  told: number
}

/** The activation as the driving loop sees it. */
export interface Running {
  readonly activation: Activation
  /** Opened whenever there may be something to do: rows, a finished job, the signal to stop. */
  readonly latch: Latch.Latch
  readonly nextLook: NextLook
  readonly fenced: () => boolean
  /** Ends the activation: another one holds the fence. */
  readonly lost: Effect.Effect<void>
}

/** Results waiting together that make it worthwhile to wait for more. */
const BUSY = 4
const HOLD_EVERY = "250 millis"
/** Largest share by which an activation is shorter than the longest, so that those that began together do not end together. */
const SPREAD = 0.25

export const make = Effect.fnUntraced(function* (
  options: Pick<Running, "latch" | "nextLook"> & {
    readonly kind: ActorKind
    readonly id: string
    readonly begun: RaisedFence
    /** Concurrency slots for the transactions of all activations of the process, fair between organizations (decisions A22). */
    readonly commits: FairPlaces
    /** Activations that run in the process. */
    readonly beside: number
    /** The process is about to stop. */
    readonly draining: Effect.Effect<boolean>
  }
): Effect.fn.Return<Running, never, Actors | SqlClient.SqlClient | Scope.Scope> {
  const { begun, commits, kind, id, latch, nextLook } = options
  const sql = yield* Sql
  const actors = yield* Actors
  const tuning = yield* ActorTuning
  const scope = yield* Effect.scope
  const key = actorKey(kind.name, id)
  const { fence, orderly, org_id: orgId } = begun
  /** Actors without an organization are rare: their key serves as the owner. */
  const owner: Owner = orgId ?? key
  const longest = Math.min(
    Math.max(tuning.activationMillis, options.beside * tuning.activationCrowdMillis),
    tuning.activationAtMostMillis
  )
  const lasting = longest * (1 - SPREAD * (yield* Random.next))
  // This timer sets `isUp`, as `stop` does: an activation that it wakes sees its time as up, even if the two clocks round differently.
  let isUp = false
  const up = Effect.suspend(() => {
    isUp = true
    return Effect.asVoid(latch.open)
  })
  yield* Effect.sleep(lasting).pipe(Effect.andThen(up), Effect.forkScoped)
  let fenced = false

  const lost = Effect.suspend(() => {
    fenced = true
    return Effect.asVoid(latch.open)
  })

  let onDisk = false
  yield* Effect.map(begun.onDisk, () => {
    onDisk = true
  }).pipe(
    Effect.catch(() => lost),
    Effect.forkScoped
  )
  const behindFence = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | Fenced | SqlError> =>
    Effect.suspend(() => (onDisk ? effect : Effect.andThen(begun.onDisk, effect)))

  const trying = (passes: (error: unknown) => boolean): Activation["once"] => {
    const outlast = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError> =>
      recoverSqlDefect(effect).pipe(
        Effect.retry({
          while: (error) => onDisk && passes(error),
          schedule: Schedule.upTo(Schedule.spaced(HOLD_EVERY), { duration: Duration.millis(tuning.holdMillis) })
        }),
        Effect.tapError((error) => (error instanceof Fenced ? lost : Effect.void))
      )
    const claim: Activation["claim"] = (effect, held) =>
      outlast(
        Effect.flatMap(effect, (result) =>
          held(result) ? Effect.succeed(result) : Effect.fail(new Fenced({ actorKey: key }))
        )
      )
    return {
      claim,
      commit: (effect, flushes = true) => {
        const lockedEffect = Effect.andThen(actors.hold(key, fence, flushes), effect)
        return behindFence(outlast(commits.use(owner)(sql.withTransaction(lockedEffect))))
      },
      statement: (effect, held) => behindFence(claim(effect, held))
    }
  }
  const scheduleLook: Activation["lookAt"] = (millis) =>
    Effect.suspend(() => {
      nextLook.told = Math.min(nextLook.told, millis)
      if (millis >= nextLook.at) return Effect.void
      nextLook.at = millis
      return Effect.asVoid(latch.open)
    })

  const batched: Activation["batched"] = (write, { atMost = tuning.commitAtMost, gather = () => 0 } = {}) =>
    makeBatchedResults({
      write,
      atMost,
      fill: (results) => (results < BUSY ? 0 : Math.max(tuning.gatherMillis, gather(results)))
    }).pipe(Effect.provideService(Scope.Scope, scope))

  return {
    activation: {
      id,
      key,
      fence,
      orgId,
      orderly,
      ...trying(isTransient),
      once: trying((error) => isTransient(error) && !mayBeDone(error)),
      batched,
      lookAt: scheduleLook,
      stop: up,
      stopping: Effect.map(options.draining, (draining) => draining || fenced || isUp)
    },
    latch,
    nextLook,
    fenced: () => fenced,
    lost
  }
})
