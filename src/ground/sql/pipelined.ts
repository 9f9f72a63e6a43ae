// Transactions over a connection of their own on which a statement does not wait for the answers of those before it: what belongs together
// goes out at once, in the order in which it was asked for, and costs one way there and back. One transaction at a time.
import { PgConnection } from "@effect/sql-pg"
import { Deferred, Effect, Stream } from "effect"
import { makeWithTransaction } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { directAddressOf } from "./direct.ts"
import type { PgSql } from "./Sql.ts"

const connectionOver = (session: PgConnection.PgConnection): Connection => {
  const rows = (text: string, params: ReadonlyArray<unknown>, prepare: boolean) =>
    Effect.map(session.query(text, params, prepare), (result): ReadonlyArray<any> => result.rows)
  return {
    execute: (text, params) => rows(text, params, true),
    executeUnprepared: (text, params) => rows(text, params, false),
    executeRaw: (text, params) => session.query(text, params),
    executeValues: (text, params) => session.queryValues(text, params),
    executeValuesUnprepared: (text, params) => session.queryValues(text, params, false),
    executeStream: () => Stream.die(new Error("rows of a pipelined transaction are not streamed"))
  }
}

const refused = () =>
  new SqlError({
    reason: new UnknownError({
      cause: undefined,
      message: "COMMIT rolled back an aborted transaction",
      operation: "commit"
    })
  })

/**
 * Closed with the scope; once the connection is lost, everything fails: whoever uses it opens another. What is asked side by side
 * (`Effect.all` with unbounded concurrency) goes out in that order. Statements that control the transaction are never prepared: the
 * driver sends a prepared one again where the server has forgotten it, and by then others would have gone before it.
 */
export const pipelined = Effect.fnUntraced(function* (sql: PgSql) {
  const session = yield* PgConnection.make({ ...sql.config, url: directAddressOf(sql), multiplex: true })
  const connection = connectionOver(session)
  const control = (text: string) => session.query(text, [], false)
  let begun = Deferred.makeUnsafe<unknown, SqlError>()

  return makeWithTransaction({
    transactionService: sql.transactionService,
    spanAttributes: [],
    acquireConnection: () => Effect.succeed(connection),
    // Not waited for: the first statements are right behind it, and the commit looks whether it was done.
    begin: () =>
      Effect.suspend(() => {
        const answer = Deferred.makeUnsafe<unknown, SqlError>()
        begun = answer
        return Effect.asVoid(
          Effect.forkDetach(
            Effect.onExit(control("BEGIN"), (exit) => Deferred.done(answer, exit)),
            { startImmediately: true }
          )
        )
      }),
    savepoint: (_, id) => Effect.asVoid(control(`SAVEPOINT effect_sql_${id}`)),
    releaseSavepoint: (_, id) => Effect.asVoid(control(`RELEASE SAVEPOINT effect_sql_${id}`)),
    commit: () =>
      Effect.gen(function* () {
        yield* Deferred.await(begun)
        const { command } = yield* control("COMMIT")
        if (command === "ROLLBACK") return yield* refused()
      }),
    // Fails with the connection alone, and the transaction with it.
    rollback: () => Effect.ignore(control("ROLLBACK")),
    rollbackSavepoint: (_, id) => Effect.asVoid(control(`ROLLBACK TO SAVEPOINT effect_sql_${id}`))
  })
})

/** As `sql.withTransaction`. */
export type WithTransaction = Effect.Success<ReturnType<typeof pipelined>>
