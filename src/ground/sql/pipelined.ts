// Pipelines transactions over a connection of their own: a statement does not wait for the answers of those before it. Statements that
// belong together are sent at once, in the order in which they were asked for, in one round trip. One transaction at a time.
import { PgConnection } from "@effect/sql-pg"
import { Deferred, Effect, Stream } from "effect"
import { makeWithTransaction } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { directAddressOf } from "./direct.ts"
import type { PgSql } from "./Sql.ts"

/** Statements of a transaction, as they are asked for; one that could not even be sent has failed by the time the next is. */
interface Asked {
  count: number
  failed: boolean
}

const connectionOver = (session: PgConnection.PgConnection, asked: Asked): Connection => {
  const sent = <A>(query: Effect.Effect<A, SqlError>) =>
    Effect.suspend(() => {
      asked.count++
      return Effect.onError(query, () =>
        Effect.sync(() => {
          asked.failed = true
        })
      )
    })
  const rows = (text: string, params: ReadonlyArray<unknown>, prepare: boolean) =>
    Effect.map(sent(session.query(text, params, prepare)), (result): ReadonlyArray<any> => result.rows)
  return {
    execute: (text, params) => rows(text, params, true),
    executeUnprepared: (text, params) => rows(text, params, false),
    executeRaw: (text, params) => sent(session.query(text, params)),
    executeValues: (text, params) => sent(session.queryValues(text, params)),
    executeValuesUnprepared: (text, params) => sent(session.queryValues(text, params, false)),
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
 * Settings of the session. Statements on queues use plain index scans: only these skip the index entries of deleted rows, where a bitmap
 * scan reads all that there have been since the last vacuum.
 */
const SESSION = { default_transaction_read_only: "on", enable_bitmapscan: "off" }

/**
 * Opens the connection, which closes with the scope. Once it is lost everything fails, and the caller opens another. Concurrent statements
 * (`Effect.all` with unbounded concurrency) are sent in that order. Statements that control the transaction are never prepared: the driver
 * sends a prepared one again if the server has forgotten it, and by then others would have gone before it. Outside of a transaction the
 * session only reads: a statement that is sent again behind the end of its transaction changes nothing.
 */
export const pipelined = Effect.fnUntraced(function* (sql: PgSql) {
  const startupParameters = { ...sql.config.startupParameters, ...SESSION }
  const session = yield* PgConnection.make({
    ...sql.config,
    url: directAddressOf(sql),
    multiplex: true,
    startupParameters
  })
  const asked: Asked = { count: 0, failed: false }
  const connection = connectionOver(session, asked)
  type Answer = Deferred.Deferred<PgConnection.Result, SqlError>
  /** Sends a control statement at once, behind those asked before. */
  const control = (text: string) =>
    Effect.suspend(() => {
      const answer: Answer = Deferred.makeUnsafe()
      const sent = Effect.onExit(session.query(text, [], false), (exit) => Deferred.done(answer, exit))
      return Effect.as(Effect.forkDetach(sent, { startImmediately: true }), answer)
    })
  const done = (text: string) => Effect.flatMap(control(text), Deferred.await)
  let begun: Answer = Deferred.makeUnsafe()
  let ended: Answer | undefined
  let rolledBack = true

  const commit = Effect.suspend(() => {
    rolledBack = false
    return Effect.map(control("COMMIT"), (answer) => {
      ended = answer
    })
  })
  const answered = Effect.suspend(() => Deferred.await(ended!)).pipe(
    Effect.tap(({ command }) =>
      Effect.sync(() => {
        rolledBack = command === "ROLLBACK"
      })
    )
  )

  /**
   * Sends the last statements of a transaction side by side, and its COMMIT right behind them; if one of them fails the COMMIT rolls back.
   * No statement may follow. An interrupted caller waits for them.
   * @param count of the statements; if not all of them have been sent the transaction ends as any other does
   */
  const last = <A, E, R>(count: number, statements: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const before = asked.count
      const behind = Effect.suspend(() => (asked.count - before === count && !asked.failed ? commit : Effect.void))
      return Effect.map(Effect.all([statements, behind], { concurrency: "unbounded" }), ([answer]) => answer)
    }).pipe(Effect.uninterruptible)

  const within = makeWithTransaction({
    transactionService: sql.transactionService,
    spanAttributes: [],
    acquireConnection: () => Effect.succeed(connection),
    // Does not wait for BEGIN: the first statements are right behind it, and the commit checks that it was done.
    begin: () =>
      Effect.suspend(() => {
        ended = undefined
        rolledBack = true
        asked.failed = false
        return Effect.map(control("BEGIN READ WRITE"), (answer) => {
          begun = answer
        })
      }),
    savepoint: (_, id) => Effect.asVoid(done(`SAVEPOINT effect_sql_${id}`)),
    releaseSavepoint: (_, id) => Effect.asVoid(done(`RELEASE SAVEPOINT effect_sql_${id}`)),
    commit: () =>
      Effect.gen(function* () {
        yield* Deferred.await(begun)
        if (ended === undefined) yield* commit
        yield* answered
        if (rolledBack) return yield* refused()
      }),
    // Fails only together with the connection, and the transaction with it.
    rollback: () => Effect.ignore(Effect.suspend(() => (ended === undefined ? done("ROLLBACK") : answered))),
    rollbackSavepoint: (_, id) => Effect.asVoid(done(`ROLLBACK TO SAVEPOINT effect_sql_${id}`))
  })
  return { within, last, rolledBack: () => rolledBack }
})

/**
 * `within` works as `sql.withTransaction`. `rolledBack`: true if a failed transaction certainly left nothing. If it is false, the
 * connection was lost behind its COMMIT, or something failed on this side only.
 */
export type Pipelined = Effect.Success<ReturnType<typeof pipelined>>
