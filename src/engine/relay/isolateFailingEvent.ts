// Splits a batch that failed or ended its process into one event a transaction. The failing event is found, counted and at the tenth
// attempt set aside with its cause (design: actors, point 6). The later events of its record wait meanwhile.
import { Cause, Effect, Exit } from "effect"
import { besideTransaction as outside } from "../../platform/sql/besideTransaction.ts"
import type { Pipelined } from "../../platform/sql/pipelined.ts"
import type { PgSql } from "../../platform/sql/Sql.ts"
import { recoverSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { isTransient } from "../../platform/sql/transientErrors.ts"
import type { FanningOut, MovedOn } from "./fanOut.ts"
import { lane, type OutboxRow } from "./OutboxRow.ts"
import type { Shards } from "./relayShards.ts"

interface Parts extends FanningOut, Pick<Shards, "takeOne" | "eventOf"> {
  readonly sql: PgSql
  readonly transactions: Pipelined
  readonly spread: (fanned: MovedOn) => Effect.Effect<void>
  readonly asideAt: number
}

const describe = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500)

/** Fans rows out one by one, in their order. Resolves to true when one still fails, or belongs to another relay by now. */
export const makeIsolateFailingEvent = ({
  asideAt,
  eventOf,
  fanOut,
  look,
  spread,
  sql,
  takeOne,
  transactions
}: Parts) => {
  const setAside = Effect.fnUntraced(function* (row: OutboxRow, cause: string) {
    yield* sql`UPDATE outbox SET set_aside = ${cause} WHERE event_id = ${row.event_id}`
    yield* Effect.logError(`event ${row.event_id} (${row.type}) is set aside: ${cause}`)
  })

  const fanOutAlone = (row: OutboxRow) =>
    transactions.within(
      Effect.gen(function* () {
        if (!(yield* takeOne(row.shard))) return "contended" as const
        // Committed before the attempt, so that a crash counts as one.
        yield* outside(sql)(sql`UPDATE outbox SET attempts = attempts + 1 WHERE event_id = ${row.event_id}`)
        // Another relay may have moved it since it was read: its mailbox rows may be done and gone.
        const [still, looked] = yield* Effect.all([eventOf(row.event_id), look], { concurrency: "unbounded" })
        return still.length === 0 ? ("gone" as const) : yield* fanOut(transactions, still, looked, null)
      })
    )

  const single = Effect.fnUntraced(function* (row: OutboxRow) {
    if (row.attempts >= asideAt) {
      yield* setAside(row, `Fanning it out ended the process, or its connection to Postgres, ${asideAt} times.`)
      return "moved" as const
    }
    const exit = yield* Effect.exit(recoverSqlDefect(Effect.scoped(fanOutAlone(row))))
    if (Exit.isSuccess(exit)) {
      if (exit.value === "contended") return "contended" as const
      if (exit.value !== "gone") yield* spread(exit.value)
      return "moved" as const
    }
    const error = Cause.squash(exit.cause)
    if (Cause.hasInterrupts(exit.cause) || isTransient(error)) return yield* Effect.failCause(exit.cause)
    if (row.attempts + 1 < asideAt) return "failed" as const
    yield* setAside(row, describe(error))
    return "moved" as const
  })

  return Effect.fnUntraced(function* (rows: ReadonlyArray<OutboxRow>) {
    const failing = new Set<string>()
    for (const row of rows) {
      if (failing.has(lane(row))) continue
      const outcome = yield* single(row)
      if (outcome !== "moved") failing.add(lane(row))
    }
    return failing.size > 0
  })
}
