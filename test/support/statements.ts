// What an effect asks of the database, and the rows that each statement brings into the process. All of it goes by one connection;
// `then` happens after each statement, before the effect goes on.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { Sql } from "../../src/platform/sql/Sql.ts"

/** The depth at which a transaction of the effect is the first. */
const NONE_OPEN = -1

export interface Asked {
  readonly statement: string
  /** Values of its parameters. */
  readonly values: ReadonlyArray<unknown>
  readonly rows: ReadonlyArray<unknown>
}

export const askedBy = Effect.fnUntraced(function* <A, E, R>(
  self: Effect.Effect<A, E, R>,
  then: (asked: Asked) => Effect.Effect<unknown, never, SqlClient.SqlClient> = () => Effect.void
) {
  const sql = yield* Sql
  const askedStatements: Array<Asked> = []
  const watched = <C extends object>(connection: C): C =>
    new Proxy(connection, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== "function") return value
        return (...given: ReadonlyArray<unknown>) => {
          const result: unknown = Reflect.apply(value, target, given)
          if (!Effect.isEffect(result)) return result
          return Effect.tap(result as Effect.Effect<unknown>, (rows) => {
            const entry = {
              statement: String(given[0]),
              values: Array.isArray(given[1]) ? given[1] : [],
              rows: Array.isArray(rows) ? rows : []
            }
            askedStatements.push(entry)
            return then(entry)
          })
        }
      }
    })
  const answer = yield* Effect.scoped(
    Effect.flatMap(sql.reserve, (connection) =>
      Effect.provideService(self, sql.transactionService, [watched(connection), NONE_OPEN] as const)
    )
  )
  return { answer, asked: askedStatements }
})
