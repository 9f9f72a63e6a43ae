// Deletes expired webhook data (decisions W5, W8, W12): expires withheld deliveries, drops old weeks of the log and leftovers of deleted
// hooks. Safe in several processes at once.
import { Clock, Effect } from "effect"
import { allInTurn } from "../../platform/primitives/allInTurn.ts"
import { deleteInBatches } from "../../platform/sql/deleteInBatches.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { removeOrphans } from "./bundles/removeOrphans.ts"
import { keepLog } from "./keepLog.ts"
import { expirePaused } from "./pausedExpiry.ts"
import { coarsen } from "./statistics/coarsen.ts"
import { WebhookSettings } from "./webhookSettings.ts"

const BATCH = 5_000
const DAY = 86_400_000

export const housekeeping = Effect.gen(function* () {
  const sql = yield* Sql
  const { withheldDays, keepDays } = yield* WebhookSettings
  const nowMillis = yield* Clock.currentTimeMillis
  const withheldBefore = new Date(nowMillis - withheldDays * DAY)
  const keptSince = new Date(nowMillis - keepDays * DAY)

  // Only hooks that have ever lost their verification hold withheld rows.
  const withheld = deleteInBatches(
    BATCH,
    sql`
    UPDATE webhook_deliveries SET status = 'expired' WHERE (hook_id, event_id) IN (
      SELECT d.hook_id, d.event_id FROM hooks h JOIN webhook_deliveries d USING (hook_id)
      WHERE h.lost_on IS NOT NULL AND d.status = 'withheld' AND d.withheld_on <= ${withheldBefore} LIMIT ${BATCH})
    RETURNING 1`
  )
  const ofGone = (
    table: "webhook_queue" | "webhook_commands" | "hook_windows" | "webhook_windows",
    of: "app" | "hook"
  ) => {
    const id = sql(`${of}_id`)
    return sql`DELETE FROM ${sql(table)} t WHERE NOT EXISTS (SELECT 1 FROM ${sql(`${of}s`)} o WHERE o.${id} = t.${id})`
  }
  const cleanedCounts = yield* allInTurn({
    withheld,
    paused: deleteInBatches(BATCH, expirePaused(sql, withheldBefore, BATCH)),
    // Runs after the expiry of withheld deliveries, which their weeks of the log wait for.
    log: keepLog(keepDays, BATCH),
    statistics: coarsen(keptSince),
    replays: sql`DELETE FROM webhook_replays WHERE ended_on <= ${keptSince}`,
    queue: ofGone("webhook_queue", "hook"),
    bundles: removeOrphans(sql),
    commands: ofGone("webhook_commands", "app"),
    windows: ofGone("hook_windows", "hook"),
    windowsOfApps: ofGone("webhook_windows", "app")
  })
  return { expired: cleanedCounts.withheld + cleanedCounts.paused, ...cleanedCounts.log }
}).pipe(orSqlDefect, Effect.withSpan("webhooks.housekeeping"))
