// Batches the changes of several callers into one statement (./dataLoader.ts), which commits separately from reads: one round trip and one
// wait for the disk serve all callers that came meanwhile.
import { Context, Effect, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type Load, makeDataLoader } from "./dataLoader.ts"
import { onReservedConnection } from "./reservedConnection.ts"
import type { Sql } from "./Sql.ts"
import { isLost } from "./transientErrors.ts"

/** Connections of the pool that changes of one kind may reserve. */
const OWN_CONNECTIONS = 4

/**
 * Runs a change on a reserved connection, since statements that share the connection of a commit wait with it for the disk. Beyond
 * `OWN_CONNECTIONS` changes share connections all the same.
 */
const overOwnConnection = (sql: Sql) => {
  let takenConnections = 0
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.withFiber((fiber) => {
      if (
        takenConnections >= OWN_CONNECTIONS ||
        Option.isSome(Context.getOption(fiber.context, sql.transactionService))
      )
        return effect
      takenConnections++
      return Effect.ensuring(
        onReservedConnection(sql)(effect),
        Effect.sync(() => void takenConnections--)
      )
    })
}

/**
 * Makes concurrent changes by one statement, over a connection of its own. If Postgres refuses it each change is made again by itself, so
 * that a refused one does not fail the others. If the connection is lost the outcome is unknown, and all callers get that error.
 */
export const changing = (sql: Sql) =>
  Effect.map(makeDataLoader(sql), (gather) => {
    const apartFromOthers = overOwnConnection(sql)
    return <K, A>(load: Load<K, A, SqlError>, apart?: (key: K) => unknown) => {
      const ask = gather(
        (keys: ReadonlyArray<K>, alone) =>
          apartFromOthers(load(keys, alone)).pipe(
            Effect.map((all) => all.map((one): Effect.Effect<A, SqlError> => Effect.succeed(one))),
            Effect.catchIf(
              (error) => keys.length > 1 && !isLost(error),
              () => Effect.succeed(keys.map((key) => Effect.map(load([key], false), ([only]) => only as A)))
            )
          ),
        apart
      )
      return (key: K) => Effect.flatten(ask(key))
    }
  })
