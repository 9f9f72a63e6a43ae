// Deletes expired webhook data (decisions W5, W8, W12): expires deliveries that were withheld or have waited for a paused hook, drops old
// weeks of the log (docs/architecture/database.md, "Logs by weeks") and leftovers of deleted hooks. Safe in several processes at once.
import { Clock, Effect, Schema } from "effect"
import { allInTurn } from "../../platform/primitives/allInTurn.ts"
import { deleteInBatches } from "../../platform/sql/deleteInBatches.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { removeOrphans } from "./bundles/allDeliveries.ts"
import { isNamedBy } from "./queueDeliveries.ts"
import { coarsen } from "./statistics/coarsen.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

const BATCH = 5_000
const DAY = 86_400_000

/**
 * Expires up to `most` deliveries that have waited seven days for a paused hook, counted from the later of their due time and the pause. A
 * resume, which precedes this or waits for it, releases the deliveries behind an expired one.
 */
export const expirePaused = (sql: Sql, before: Date, most: number) => sql`
  WITH due AS (
    SELECT q.hook_id, q.event_id FROM hooks h JOIN webhook_queue q USING (hook_id)
    WHERE h.paused_on <= ${before} AND q.due_at <= ${before}
    ORDER BY q.hook_id, q.record_id, q.event_id LIMIT ${most}
    FOR UPDATE OF q SKIP LOCKED FOR SHARE OF h SKIP LOCKED
  ), gone AS (
    DELETE FROM webhook_queue q USING due WHERE ${isNamedBy(sql, "due")}
    RETURNING q.hook_id, q.event_id
  )
  UPDATE webhook_deliveries d SET status = 'expired', next_attempt_on = NULL
  FROM gone WHERE ${isNamedBy(sql, "gone", "d")}
  RETURNING 1`

/** Maximum number of steps, more than needed after a long absence; the rest follows in the next hour. */
const STEPS = 100

const Step = Schema.Struct({ step: Schema.NullOr(Schema.String) })
const Astray = Schema.Struct({ deliveries: Schema.Int, attempts: Schema.Int })

/**
 * Keeps the log of deliveries and attempts, each by the schema's owner: partitions ahead, the jump of the ids, weeks that have had their time.
 * @returns dropped weeks, and deleted rows outside of the weeks
 */
const keepLog = Effect.fnUntraced(function* (keepDays: number, batch: number) {
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
