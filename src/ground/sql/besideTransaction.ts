// What is asked beside a transaction that is under way, over another connection: it sees only what has been committed, and is on its way at
// the same time. Never while rows are held that it may wait for: who shares a connection with it may be sent behind it.
import { Context, Effect } from "effect"
import type { Sql } from "./Sql.ts"

export const besideTransaction =
  (sql: Pick<Sql, "transactionService">) =>
  <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.updateContext(
      self,
      (context: Context.Context<never>) => Context.omit(sql.transactionService)(context) as Context.Context<never>
    )
