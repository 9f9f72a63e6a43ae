// What has had its time (decisions W5, W8, W12): withheld deliveries expire, old deliveries and leftovers of deleted hooks go.
// Safe in several processes at once.
import { Clock, Effect } from "effect"
import { drain } from "../../ground/sql/drain.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import { expirePaused } from "./pausedExpiry.ts"
import { WebhookSettings } from "./settings.ts"
import { coarsen } from "./statistics/coarsen.ts"

const BATCH = 5_000
const DAY = 86_400_000

export interface HousekeepingDone {
  readonly expired: number
  readonly deliveries: number
  readonly attempts: number
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
  // A delivery that still waits for a retry stays until it has ended.
  const deliveries = yield* drain(
    BATCH,
    sql`
    DELETE FROM webhook_deliveries WHERE (hook_id, event_id) IN (
      SELECT d.hook_id, d.event_id FROM webhook_deliveries d WHERE d.created_on <= ${keptSince}
        AND NOT EXISTS (SELECT 1 FROM webhook_queue q WHERE q.hook_id = d.hook_id AND q.event_id = d.event_id) LIMIT ${BATCH})
    RETURNING 1`
  )
  const attempts = yield* drain(
    BATCH,
    sql`
    DELETE FROM webhook_attempts WHERE (hook_id, event_id, attempt) IN (
      SELECT hook_id, event_id, attempt FROM webhook_attempts WHERE attempted_on <= ${keptSince} LIMIT ${BATCH})
    RETURNING 1`
  )
  yield* coarsen(keptSince)
  yield* sql`DELETE FROM webhook_replays WHERE ended_on <= ${keptSince}`
  yield* sql`DELETE FROM webhook_queue q WHERE NOT EXISTS (SELECT 1 FROM hooks h WHERE h.hook_id = q.hook_id)`
  yield* sql`DELETE FROM webhook_commands c WHERE NOT EXISTS (SELECT 1 FROM apps a WHERE a.app_id = c.app_id)`
  yield* sql`DELETE FROM hook_windows w WHERE NOT EXISTS (SELECT 1 FROM hooks h WHERE h.hook_id = w.hook_id)`
  yield* sql`DELETE FROM webhook_windows w WHERE NOT EXISTS (SELECT 1 FROM apps a WHERE a.app_id = w.app_id)`
  return { expired, deliveries, attempts } satisfies HousekeepingDone as HousekeepingDone
}).pipe(orSqlDefect, Effect.withSpan("webhooks.housekeeping"))
