// Tracks whether a piece of work may have changed anything, so that its caller learns the truth if the database goes away meanwhile
// (developer-api.md 1.5). Nothing has changed as long as no COMMIT was sent, and no statement that writes outside of a transaction.
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { CurrentTransformer, type Transformer } from "effect/sql/Statement"
import { isLost } from "./transientErrors.ts"

export interface Changes {
  possible: boolean
}

const Watched = Context.Reference<Changes | undefined>("millrace/sql/Watched", { defaultValue: () => undefined })
const Within = Context.Reference<boolean>("millrace/sql/Within", { defaultValue: () => false })

const readPattern = /^\s*(?:SELECT|WITH)\b/i
const writePattern = /\b(?:INSERT|UPDATE|DELETE|MERGE)\b/i

/** Inspects each statement that is its own transaction. */
const watchStatement: Transformer = (statement, _sql, fiber) => {
  const changes = fiber.getRef(Watched)
  if (changes !== undefined && !changes.possible && !fiber.getRef(Within)) {
    const [text] = statement.compile()
    changes.possible = !readPattern.test(text) || writePattern.test(text)
  }
  return Effect.succeed(statement)
}

/** Marks a change as possible before another fiber writes for this one. */
export const mayChange: Effect.Effect<void> = Effect.withFiber((fiber) => {
  const changes = fiber.getRef(Watched)
  if (changes !== undefined) changes.possible = true
  return Effect.void
})

/** Runs work that may ask, when it fails, whether it has changed anything. */
export const watched = <A, E, R>(work: (changes: Changes) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const changes: Changes = { possible: false }
    return Effect.updateContext(work(changes), (context: Context.Context<R>) =>
      Context.add(Context.add(context, Watched, changes), CurrentTransformer, watchStatement)
    )
  })

/** Client whose commits are tracked. */
export const withWatchedCommits = (client: PgClient.PgClient): PgClient.PgClient => {
  const begin = client.withTransaction
  const withTransaction: typeof begin = (effect) =>
    Effect.withFiber((fiber) => {
      const changes = fiber.getRef(Watched)
      const inner = Context.getOption(fiber.context, client.transactionService)._tag === "Some"
      if (changes === undefined || inner) return begin(effect)
      let possibleBefore: boolean | undefined
      const watchedEffect = Effect.tap(Effect.provideService(effect, Within, true), () =>
        Effect.sync(() => {
          possibleBefore = changes.possible
          changes.possible = true
        })
      )
      return Effect.tapError(begin(watchedEffect), (error) =>
        Effect.sync(() => {
          // Restores the state if Postgres itself refused the COMMIT, which then did not happen.
          if (possibleBefore !== undefined && isSqlError(error) && !isLost(error)) changes.possible = possibleBefore
        })
      )
    })
  return Object.assign(client, { withTransaction })
}
