// Retention of the hourly credits that organizations used (developer-api.md 7.11). Runs are checked against the present hour; earlier hours
// are kept for billing and statistics.
import { Clock, Effect } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { deleteInBatches } from "../../../platform/sql/deleteInBatches.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"

/** Rows per statement; it finds them by organization, in the order of the key, without a scan of the remaining rows. */
const BATCH = 5_000

export const pruneCredits = Effect.gen(function* () {
  const sql = yield* Sql
  const { creditsKeepDays } = yield* AppConfig
  const keptSince = new Date((yield* Clock.currentTimeMillis) - creditsKeepDays * 86_400_000)
  const hours = yield* deleteInBatches(
    BATCH,
    sql`
      DELETE FROM run_credits WHERE ctid IN (
        SELECT old.ctid FROM organizations o CROSS JOIN LATERAL (
          SELECT ctid FROM run_credits WHERE org_id = o.org_id AND hour < ${keptSince}
          ORDER BY hour LIMIT ${BATCH}::int FOR UPDATE SKIP LOCKED) old
        LIMIT ${BATCH}::int) RETURNING 1`
  )
  return { credit_hours: hours }
}).pipe(orSqlDefect)
