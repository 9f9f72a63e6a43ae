// Nudges lost actors again, every ten seconds and from Postgres alone: those that lost their nudge, their timer, their workflow or, with
// Temporal's database, everything (design: actors, point 5).
import { Clock, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { ActorTuning } from "../../platform/config/Tuning.ts"
import { SWEEP_LOCK } from "../../platform/sql/advisoryLocks.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { inBrief } from "../../platform/sql/transientErrors.ts"
import { ActorKinds } from "./ActorKind.ts"
import { Actors } from "./Actors.ts"
import { ActorWakes } from "./ActorWakes.ts"

const Lock = Schema.Struct({ locked: Schema.Boolean })

/** Runs one pass of the sweep, which skips itself while another process's pass holds the lock. */
const sweep = Effect.gen(function* () {
  const sql = yield* Sql
  const actors = yield* Actors
  const kinds = yield* ActorKinds
  const actorWakes = yield* ActorWakes
  const tuning = yield* ActorTuning
  const withSweepLock = <A>(look: Effect.Effect<ReadonlyArray<A>, SqlError>) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const rows = yield* rowsOf(Lock)(sql`SELECT pg_try_advisory_xact_lock(${SWEEP_LOCK}) AS locked,
          set_config('idle_in_transaction_session_timeout', ${String(tuning.idleInTransactionMillis)}, true)`)
        return rows[0]?.locked === true ? yield* look : []
      })
    )
  // Runs the two look-ups in separate transactions: the second would take locks out of the order of the keys while the first holds its own,
  // against the relay.
  const overdue = yield* withSweepLock(actors.overdue)
  yield* actorWakes.offer(overdue)
  const dueBefore = new Date((yield* Clock.currentTimeMillis) - tuning.sweepAsleepAfterMillis)
  const withDueRows = Effect.forEach(kinds, (kind) =>
    Effect.map(kind.withDueRows(dueBefore), (found) => found.map((address) => [kind.name, address] as const))
  )
  const due = yield* withSweepLock(Effect.flatMap(withDueRows, (addressed) => actors.call(addressed.flat())))
  yield* actorWakes.offer(due)
  return overdue.length + due.length
})

const forEver = Effect.gen(function* () {
  const tuning = yield* ActorTuning
  yield* sweep.pipe(
    Effect.tap((count) => (count > 0 ? Effect.logDebug(`the sweep nudged ${count} actor(s)`) : Effect.void)),
    Effect.catchCause((cause) => Effect.logWarning("the sweep failed", inBrief(cause))),
    Effect.andThen(Effect.sleep(tuning.sweepEveryMillis)),
    Effect.forever,
    Effect.forkScoped
  )
})

export const layer = Layer.effectDiscard(forEver)
