// A statement beside the transaction that runs: on another connection, with what has been committed by now.
import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql"

export const outside =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateContext(
      self,
      (context: Context.Context<R>) => Context.omit(sql.transactionService)(context) as Context.Context<R>
    )
