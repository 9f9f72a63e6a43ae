// The log of deliveries and attempts by weeks (decisions W8; docs/architecture.md, "Logs by weeks"): partitions ahead, the jump of the
// ids, and weeks that have had their time, each by the schema's owner.
import { Effect, Schema } from "effect"
import { rowOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"

/** More than there can be after a long absence; what is left comes in the next hour. */
const STEPS = 100

const Step = Schema.Struct({ step: Schema.NullOr(Schema.String) })
const Astray = Schema.Struct({ deliveries: Schema.Int, attempts: Schema.Int })

export const keepLog = Effect.fnUntraced(function* (keepDays: number, batch: number) {
  const sql = yield* Sql
  let weeks = 0
  for (let i = 0; i < STEPS; i++) {
    const row = yield* rowOf(Step)(sql`SELECT webhook_log_keep(${keepDays}) AS step`)
    if (row!.step === null) break
    if (row!.step === "dropped") weeks += 1
  }
  const gone = { deliveries: 0, attempts: 0 }
  for (;;) {
    const { attempts, deliveries } = (yield* rowOf(Astray)(sql`
      SELECT deliveries, attempts FROM webhook_log_astray(${keepDays}, ${batch})`))!
    gone.deliveries += deliveries
    gone.attempts += attempts
    if (deliveries < batch && attempts < batch) return { ...gone, weeks }
  }
})
