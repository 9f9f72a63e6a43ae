// Runs a change in one transaction: the open one, or one of its own. Its own is retried after a deadlock, also one that a service within it
// turned into a defect.
import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Sql } from "./Sql.ts"
import { recoverSqlDefect } from "./sqlDefect.ts"

export const inTransaction = (sql: Sql) =>
  Effect.map(Effect.serviceOption(sql.transactionService), (open) => open._tag === "Some")

const retriable = (error: unknown) => {
  const reason = (error as SqlError | undefined)?._tag === "SqlError" ? (error as SqlError).reason._tag : ""
  return reason === "DeadlockError" || reason === "SerializationError"
}

const AGAIN = { while: retriable, schedule: Schedule.exponential("10 millis").pipe(Schedule.jittered), times: 4 }

/** Runs a transaction of its own again after a deadlock. */
export const triedAgain = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(effect, AGAIN)

export const transact =
  (sql: Sql) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.flatMap(inTransaction(sql), (open) =>
      open ? effect : triedAgain(sql.withTransaction(recoverSqlDefect(effect)))
    )

/** Retries a change of one statement likewise; it needs no transaction around it. */
export const transactOne =
  (sql: Sql) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(inTransaction(sql), (open) => (open ? effect : triedAgain(effect)))
