// Who waits for whom in the database.
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { eventually } from "./eventually.ts"

/** Those that wait for what the transaction of the caller holds. */
export const waitingForMe = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`
)

/** In a transaction: holds `first`; once `other` waits for that, does `then`, and commits. Answers what `other` did. */
export const crossing = Effect.fnUntraced(function* <A, E, R>(
  first: Effect.Effect<unknown, E, R>,
  other: Effect.Effect<A, E, R>,
  then: Effect.Effect<unknown, E, R> = Effect.void
) {
  const sql = yield* SqlClient.SqlClient
  const begun = yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* first
      const fiber = yield* Effect.forkDetach(other)
      yield* eventually("somebody waits for the lock", waitingForMe, (rows) => rows.length === 1)
      yield* then
      return fiber
    })
  )
  return yield* Fiber.join(begun)
})
