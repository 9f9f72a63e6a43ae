// Deletes old runs (developer-api.md 7.11: kept 30 days, config) with their values. Log and ledger are dropped by weeks
// (docs/architecture/database.md, "Logs by weeks"). The hourly credits of organizations have a retention of their own.
import { Clock, Effect, Schema } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { allInTurn } from "../../../platform/primitives/allInTurn.ts"
import { deleteInBatches } from "../../../platform/sql/deleteInBatches.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { makeDeleteRuns } from "./deleteRuns.ts"

const BATCH = 500
/** Upper bound of the steps, more than a long downtime requires; the next hour continues with the rest. */
const STEPS = 100

const Step = Schema.Struct({ step: Schema.NullOr(Schema.String) })
const Astray = Schema.Struct({ runs: Schema.Int })

/**
 * Creates partitions ahead, raises the id sequence, and drops partitions without runs, each step by the schema's owner. @returns number of
 * dropped partitions
 */
const keepLog = Effect.gen(function* () {
  const sql = yield* Sql
  let weeks = 0
  for (let i = 0; i < STEPS; i++) {
    // Each step may wait for locks: a transaction has its own connection, so that no other statement waits behind it.
    const { step } = (yield* sql.withTransaction(rowOf(Step)(sql`SELECT run_log_keep() AS step`)))!
    if (step === null) break
    if (step === "dropped") weeks += 1
  }
  return weeks
})

export const pruneRuns = Effect.gen(function* () {
  const sql = yield* Sql
  const deleteRuns = makeDeleteRuns(sql)
  const { runsKeepDays } = yield* AppConfig
  const keptSince = new Date((yield* Clock.currentTimeMillis) - runsKeepDays * 86_400_000)

  const batch = Effect.gen(function* () {
    const ids = yield* deleteRuns(sql`
      SELECT run_id FROM runs WHERE completed_on < ${keptSince} ORDER BY completed_on LIMIT ${BATCH}::int`)
    return ids.length
  }).pipe(sql.withTransaction)
  const astray = sql
    .withTransaction(rowOf(Astray)(sql`SELECT run_log_astray(${runsKeepDays}, ${BATCH}) AS runs`))
    .pipe(Effect.map((row) => row!.runs))

  const { runs, weeks } = yield* allInTurn({
    runs: deleteInBatches(BATCH, batch),
    weeks: keepLog,
    astray: deleteInBatches(BATCH, astray)
  })
  return { runs, weeks }
}).pipe(orSqlDefect)

/** Rows per statement; it finds them by organization, in the order of the key, without a scan of the remaining rows. */
const CREDITS_BATCH = 5_000

/** Runs are checked against the present hour; earlier hours are kept for billing and statistics. */
export const pruneCredits = Effect.gen(function* () {
  const sql = yield* Sql
  const { creditsKeepDays } = yield* AppConfig
  const keptSince = new Date((yield* Clock.currentTimeMillis) - creditsKeepDays * 86_400_000)
  const hours = yield* deleteInBatches(
    CREDITS_BATCH,
    sql`
      DELETE FROM run_credits WHERE ctid IN (
        SELECT old.ctid FROM organizations o CROSS JOIN LATERAL (
          SELECT ctid FROM run_credits WHERE org_id = o.org_id AND hour < ${keptSince}
          ORDER BY hour LIMIT ${CREDITS_BATCH}::int FOR UPDATE SKIP LOCKED) old
        LIMIT ${CREDITS_BATCH}::int) RETURNING 1`
  )
  return { credit_hours: hours }
}).pipe(orSqlDefect)
