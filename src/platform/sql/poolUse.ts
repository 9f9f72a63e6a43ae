// Counts how much of a pool is in use: each transaction holds a connection, and waits for one while all are held. For /health/ready and
// /metrics.
import type { PgClient } from "@effect/sql-pg"
import { Clock, Context, Effect } from "effect"
import type { Sql } from "./Sql.ts"

interface PoolUse {
  readonly name: string
  readonly most: number
  open: number
  waiting: number
}

const uses = new WeakMap<object, PoolUse>()

/** Client whose transactions are counted. */
export const withCountedUse = (client: PgClient.PgClient, name: string, most: number): PgClient.PgClient => {
  const use: PoolUse = { name, most, open: 0, waiting: 0 }
  const begin = client.withTransaction
  const withTransaction: typeof begin = (effect) =>
    Effect.withFiber((fiber) => {
      if (Context.getOption(fiber.context, client.transactionService)._tag === "Some") return begin(effect)
      let began = false
      const body = Effect.suspend(() => {
        began = true
        use.waiting--
        use.open++
        return effect
      })
      return Effect.acquireUseRelease(
        Effect.sync(() => void use.waiting++),
        () => begin(body),
        () => Effect.sync(() => void (began ? use.open-- : use.waiting--))
      )
    })
  const counting = Object.assign(client, { withTransaction })
  uses.set(counting, use)
  return counting
}

export const useOf = (sql: object): PoolUse | undefined => uses.get(sql)

/** Tries to get a connection of this pool that answers within two seconds. */
export const poolHealth = (sql: Sql) =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    const answers = yield* sql`SELECT 1`.pipe(Effect.timeout("2 seconds"), Effect.isSuccess)
    const answerMillis = (yield* Clock.currentTimeMillis) - startedAt
    const use = uses.get(sql)
    const useText =
      use === undefined ? "" : `${use.name}: ${use.open} of ${use.most} held by transactions, ${use.waiting} wait; `
    return { ok: answers, detail: `${useText}${answers ? `answers in ${answerMillis} ms` : "no answer within 2 s"}` }
  })
