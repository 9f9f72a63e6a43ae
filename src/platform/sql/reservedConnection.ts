// Runs statements on a reserved connection, without a transaction around them. For a statement that may wait for a lock, behind which
// others must not wait: one round trip instead of three.
import { Effect } from "effect"
import type { Sql } from "./Sql.ts"

/** Reserves a connection for the effect. Each statement is its own transaction; code that is to run after a commit does not belong here. */
export const alone =
  (sql: Pick<Sql, "reserve" | "transactionService">) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.flatMap(sql.reserve, (connection) =>
        Effect.provideService(self, sql.transactionService, [connection, 0] as const)
      )
    )
