// Pipelines transactions over a connection of their own: a statement does not wait for the answers of those before it. Statements that
// belong together are sent at once, in the order in which they were asked for, in one round trip. One transaction at a time.
import { PgConnection } from "@effect/sql-pg"
import { Deferred, Effect, Stream } from "effect"
import { makeWithTransaction } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { directAddressOf } from "./directAddress.ts"
import type { PgSql } from "./Sql.ts"

/** Statements of a transaction, as they are asked for; one that could not even be sent has failed by the time the next is. */
interface Asked {
  count: number
  failed: boolean
}

const connectionOver = (session: PgConnection.PgConnection, asked: Asked): Connection => {
  const sendQuery = <A>(query: Effect.Effect<A, SqlError>) =>
    Effect.suspend(() => {
      asked.count++
      return Effect.onError(query, () =>
        Effect.sync(() => {
          asked.failed = true
        })
      )
    })
  const rows = (text: string, params: ReadonlyArray<unknown>, prepare: boolean) =>
    Effect.map(sendQuery(session.query(text, params, prepare)), (result): ReadonlyArray<any> => result.rows)
  return {
    execute: (text, params) => rows(text, params, true),
    executeUnprepared: (text, params) => rows(text, params, false),
    executeRaw: (text, params) => sendQuery(session.query(text, params)),
    executeValues: (text, params) => sendQuery(session.queryValues(text, params)),
    executeValuesUnprepared: (text, params) => sendQuery(session.queryValues(text, params, false)),
    executeStream: () => Stream.die(new Error("rows of a pipelined transaction are not streamed"))
  }
}

const makeCommitError = () =>
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
  const progress: Asked = { count: 0, failed: false }
  const connection = connectionOver(session, progress)
  type Answer = Deferred.Deferred<PgConnection.Result, SqlError>
  /** Sends a control statement at once, behind those asked before. */
  const control = (text: string) =>
    Effect.suspend(() => {
      const answer: Answer = Deferred.makeUnsafe()
      const queryAnswer = Effect.onExit(session.query(text, [], false), (exit) => Deferred.done(answer, exit))
      return Effect.as(Effect.forkDetach(queryAnswer, { startImmediately: true }), answer)
    })
  const runControl = (text: string) => Effect.flatMap(control(text), Deferred.await)
  let beginAnswer: Answer = Deferred.makeUnsafe()
  let endAnswer: Answer | undefined
  let rolledBack = true

  const commit = Effect.suspend(() => {
    rolledBack = false
    return Effect.map(control("COMMIT"), (answer) => {
      endAnswer = answer
    })
  })
  const answered = Effect.suspend(() => Deferred.await(endAnswer!)).pipe(
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
  const runLast = <A, E, R>(count: number, statements: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const countBefore = progress.count
      const commitIfComplete = Effect.suspend(() =>
        progress.count - countBefore === count && !progress.failed ? commit : Effect.void
      )
      return Effect.map(Effect.all([statements, commitIfComplete], { concurrency: "unbounded" }), ([answer]) => answer)
    }).pipe(Effect.uninterruptible)

  const runWithin = makeWithTransaction({
    transactionService: sql.transactionService,
    spanAttributes: [],
    acquireConnection: () => Effect.succeed(connection),
    // Does not wait for BEGIN: the first statements are right behind it, and the commit checks that it was done.
    begin: () =>
      Effect.suspend(() => {
        endAnswer = undefined
        rolledBack = true
        progress.failed = false
        return Effect.map(control("BEGIN READ WRITE"), (answer) => {
          beginAnswer = answer
        })
      }),
    savepoint: (_, id) => Effect.asVoid(runControl(`SAVEPOINT effect_sql_${id}`)),
    releaseSavepoint: (_, id) => Effect.asVoid(runControl(`RELEASE SAVEPOINT effect_sql_${id}`)),
    commit: () =>
      Effect.gen(function* () {
        yield* Deferred.await(beginAnswer)
        if (endAnswer === undefined) yield* commit
        yield* answered
        if (rolledBack) return yield* makeCommitError()
      }),
    // Fails only together with the connection, and the transaction with it.
    rollback: () => Effect.ignore(Effect.suspend(() => (endAnswer === undefined ? runControl("ROLLBACK") : answered))),
    rollbackSavepoint: (_, id) => Effect.asVoid(runControl(`ROLLBACK TO SAVEPOINT effect_sql_${id}`))
  })
  return { within: runWithin, last: runLast, rolledBack: () => rolledBack }
})

/**
 * `within` works as `sql.withTransaction`. `rolledBack`: true if a failed transaction certainly left nothing. If it is false, the
 * connection was lost behind its COMMIT, or something failed on this side only.
 */
export type Pipelined = Effect.Success<ReturnType<typeof pipelined>>
