// Runs statements on a reserved connection, without a transaction around them. For a statement that may wait for a lock, behind which
// others must not wait: one round trip instead of three.
import { Context, Effect, Option } from "effect"
import type { Sql } from "./Sql.ts"

/**
 * Reserves a connection for the effect; inside of a transaction it uses that one's. Each statement is its own transaction; code that is to
 * run after a commit does not belong here.
 */
export const onReservedConnection =
  (sql: Pick<Sql, "reserve" | "transactionService">) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.withFiber((fiber) =>
      Option.isSome(Context.getOption(fiber.context, sql.transactionService))
        ? self
        : Effect.scoped(
            Effect.flatMap(sql.reserve, (connection) =>
              Effect.provideService(self, sql.transactionService, [connection, 0] as const)
            )
          )
    )
