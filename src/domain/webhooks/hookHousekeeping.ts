// What has had its time (decisions W5, W8, W12): withheld deliveries expire, weeks of the log and leftovers of
// deleted hooks go. Safe in several processes at once.
import { Clock, Effect } from "effect"
import { drain } from "../../ground/sql/drain.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import { keepLog } from "./keepLog.ts"
import { expirePaused } from "./pausedExpiry.ts"
import { WebhookSettings } from "./settings.ts"
import { coarsen } from "./statistics/coarsen.ts"

const BATCH = 5_000
const DAY = 86_400_000

export interface HousekeepingDone {
  readonly expired: number
  /** Of the log, outside its weeks. */
  readonly deliveries: number
  readonly attempts: number
  /** Parts of the log that had their time. */
  readonly weeks: number
}

export const housekeeping = Effect.gen(function* () {
  const sql = yield* Sql
  const { withheldDays, keepDays } = yield* WebhookSettings
  const now = yield* Clock.currentTimeMillis
  const withheldBefore = new Date(now - withheldDays * DAY)
  const keptSince = new Date(now - keepDays * DAY)

  // Only hooks that have ever lost their verification hold withheld rows.
  const withheld = yield* drain(
    BATCH,
    sql`
    UPDATE webhook_deliveries SET status = 'expired' WHERE (hook_id, event_id) IN (
      SELECT d.hook_id, d.event_id FROM hooks h JOIN webhook_deliveries d USING (hook_id)
      WHERE h.lost_on IS NOT NULL AND d.status = 'withheld' AND d.withheld_on <= ${withheldBefore} LIMIT ${BATCH})
    RETURNING 1`
  )
  const expired = withheld + (yield* drain(BATCH, expirePaused(sql, withheldBefore, BATCH)))
  const gone = yield* keepLog(keepDays, BATCH)
  yield* coarsen(keptSince)
  yield* sql`DELETE FROM webhook_replays WHERE ended_on <= ${keptSince}`
  yield* sql`DELETE FROM webhook_queue q WHERE NOT EXISTS (SELECT 1 FROM hooks h WHERE h.hook_id = q.hook_id)`
  yield* sql`DELETE FROM webhook_commands c WHERE NOT EXISTS (SELECT 1 FROM apps a WHERE a.app_id = c.app_id)`
  yield* sql`DELETE FROM hook_windows w WHERE NOT EXISTS (SELECT 1 FROM hooks h WHERE h.hook_id = w.hook_id)`
  yield* sql`DELETE FROM webhook_windows w WHERE NOT EXISTS (SELECT 1 FROM apps a WHERE a.app_id = w.app_id)`
  return { expired, ...gone } satisfies HousekeepingDone as HousekeepingDone
}).pipe(orSqlDefect, Effect.withSpan("webhooks.housekeeping"))
