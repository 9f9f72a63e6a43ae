// Statements on a connection that nobody else uses meanwhile, without a transaction around them: for one that may wait for a lock, behind
// which others must not wait, in one way there and back instead of three.
import { Effect } from "effect"
import type { Sql } from "./Sql.ts"

/** Each is its own transaction; what follows a commit does not belong here. */
export const alone =
  (sql: Pick<Sql, "reserve" | "transactionService">) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.flatMap(sql.reserve, (connection) =>
        Effect.provideService(self, sql.transactionService, [connection, 0] as const)
      )
    )
