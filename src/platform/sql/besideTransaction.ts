// Runs a query outside of the open transaction, over another connection and at the same time: it sees only what has been committed. Never
// use it while the transaction locks rows that the query may wait for: other statements on its connection would queue behind it.
import { Context, Effect } from "effect"
import type { Sql } from "./Sql.ts"

export const besideTransaction =
  (sql: Pick<Sql, "transactionService">) =>
  <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.updateContext(
      self,
      (context: Context.Context<never>) => Context.omit(sql.transactionService)(context) as Context.Context<never>
    )
