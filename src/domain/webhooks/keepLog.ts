// The log of deliveries and attempts by weeks (decisions W8; docs/architecture/database.md, "Logs by weeks"): partitions ahead, the jump of the
// ids, and weeks that have had their time, each by the schema's owner.
import { Effect, Schema } from "effect"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"

/** Maximum number of steps, more than needed after a long absence; the rest follows in the next hour. */
const STEPS = 100

const Step = Schema.Struct({ step: Schema.NullOr(Schema.String) })
const Astray = Schema.Struct({ deliveries: Schema.Int, attempts: Schema.Int })

/** @returns dropped weeks, and deleted rows outside of the weeks */
export const keepLog = Effect.fnUntraced(function* (keepDays: number, batch: number) {
  const sql = yield* Sql
  // Each may wait for others a while: a transaction has a connection that no other statement waits for.
  const next = sql.withTransaction(rowOf(Step)(sql`SELECT webhook_log_keep(${keepDays}) AS step`))
  const clear = sql.withTransaction(
    rowOf(Astray)(sql`SELECT deliveries, attempts FROM webhook_log_astray(${keepDays}, ${batch})`)
  )
  let weeks = 0
  for (let i = 0; i < STEPS; i++) {
    const { step } = (yield* next)!
    if (step === null) break
    if (step === "dropped") weeks += 1
  }
  const deletedCounts = { deliveries: 0, attempts: 0 }
  for (;;) {
    const { attempts, deliveries } = (yield* clear)!
    deletedCounts.deliveries += deliveries
    deletedCounts.attempts += attempts
    if (deliveries < batch && attempts < batch) return { ...deletedCounts, weeks }
  }
})
