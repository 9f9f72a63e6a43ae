// Every ten seconds, from Postgres alone: actors that lost their nudge, their timer, their workflow or, with Temporal's
// database, everything, are nudged again (design: actors, point 5).
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inBrief } from "../sql/away.ts"
import { ActorKinds } from "./ActorKind.ts"
import { Actors } from "./Actors.ts"
import { Nudges } from "./Nudges.ts"
import { ActorTuning } from "./Tuning.ts"

const SWEEP_LOCK = 727_003

/** One pass; another process's pass at the same time makes it unnecessary. */
export const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const actors = yield* Actors
  const kinds = yield* ActorKinds
  const nudges = yield* Nudges
  const tuning = yield* ActorTuning
  const called = yield* sql.withTransaction(
    Effect.gen(function* () {
      const rows = yield* sql<{ locked: boolean }>`SELECT pg_try_advisory_xact_lock(${SWEEP_LOCK}) AS locked,
        set_config('idle_in_transaction_session_timeout', ${String(tuning.idleInTransactionMillis)}, true)`
      if (rows[0]?.locked !== true) return []
      const overdue = yield* actors.overdue
      const before = new Date((yield* Clock.currentTimeMillis) - tuning.sweepAsleepAfterMillis)
      const addressed = yield* Effect.forEach(kinds, (kind) =>
        Effect.map(kind.withDueRows(before), (found) => found.map((address) => [kind.name, address] as const))
      )
      return [...overdue, ...(yield* actors.call(addressed.flat()))]
    })
  )
  yield* nudges.offer(called)
  return called.length
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
