// Who waits for whom in the database.
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { SqlError } from "effect/sql/SqlError"
import { asOwner } from "./database.ts"
import { BOUND, eventually } from "./eventually.ts"

/** Those that wait for what the transaction of the caller holds. */
export const waitingForMe = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`
)

/** Backends that wait for what the transaction of the caller holds, or for one of these. */
export const waitingBehindMe = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    WITH RECURSIVE line AS (
      SELECT pg_backend_pid() AS pid
      UNION SELECT l.pid FROM pg_locks l JOIN line ON NOT l.granted AND line.pid = ANY(pg_blocking_pids(l.pid))
    ) SELECT pid FROM line WHERE pid <> pg_backend_pid()`
)

/** Keeps a transaction of another session open that has done `first`; what is answered commits it. */
export const keepOpen = Effect.fnUntraced(function* (
  first: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>
) {
  const sql = yield* SqlClient.SqlClient
  const [begun, gate] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
  const transaction = first(sql).pipe(
    Effect.andThen(Deferred.succeed(begun, undefined)),
    Effect.andThen(Deferred.await(gate))
  )
  const session = yield* Effect.forkChild(sql.withTransaction(transaction))
  // Joined as well, so that an error of `first` is the test's.
  yield* Effect.raceFirst(Deferred.await(begun), Fiber.join(session))
  return Effect.andThen(Deferred.succeed(gate, undefined), Fiber.join(session))
})

const isDeadlock = (error: unknown) => error instanceof SqlError && error.reason._tag === "DeadlockError"

/**
 * In a transaction: holds `first`; once `other` waits for that, does `then`, and commits. Answers what `other` did. Postgres ends who has waited for
 * a second when the two stand in each other's way: where this one comes to `then` later than that, it is this one, and `other` has its way.
 */
export const crossing = Effect.fnUntraced(function* <A, E, R>(
  first: Effect.Effect<unknown, E, R>,
  other: Effect.Effect<A, E, R>,
  then: Effect.Effect<unknown, E, R> = Effect.void
) {
  const sql = yield* SqlClient.SqlClient
  const otherFiber = yield* Deferred.make<Fiber.Fiber<A, E>>()
  yield* sql
    .withTransaction(
      Effect.gen(function* () {
        yield* first
        yield* Deferred.succeed(otherFiber, yield* Effect.forkDetach(other))
        yield* eventually("somebody waits for the lock", waitingForMe, (rows) => rows.length === 1)
        yield* then
      })
    )
    .pipe(Effect.catchIf(isDeadlock, () => Effect.void))
  return yield* Effect.flatMap(Deferred.await(otherFiber), Fiber.join)
})

/**
 * While somebody reads `tables` for long: does `write` again and again beside `keep`, until that is through. Answers what `keep` did, and how often was
 * written; neither waits for the reader.
 */
export const besideReader = Effect.fnUntraced(function* <A, E, R, E2, R2>(
  tables: string,
  keep: Effect.Effect<A, E, R>,
  write: (n: number) => Effect.Effect<unknown, E2, R2>
) {
  const [reads, over] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
  const read = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      sql
        .unsafe(`LOCK TABLE ${tables} IN ACCESS SHARE MODE`)
        .pipe(Effect.andThen(Deferred.succeed(reads, undefined)), Effect.andThen(Deferred.await(over)))
    )
  )
  const reader = yield* Effect.forkChild(asOwner(read))
  const keepAndWrite = Effect.gen(function* () {
    yield* Deferred.await(reads)
    const keeping = yield* Effect.forkChild(keep)
    let writeCount = 0
    while (keeping.pollUnsafe() === undefined) yield* write(++writeCount)
    return { kept: yield* Fiber.join(keeping), written: writeCount }
  })
  const outcome = yield* keepAndWrite.pipe(Effect.timeout(BOUND), Effect.ensuring(Deferred.succeed(over, undefined)))
  yield* Fiber.join(reader)
  return outcome
})
