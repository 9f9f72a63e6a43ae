// When the actor of an app's webhooks has something to do: deliveries within its window, commands at once (decisions W3, W5).
import { Clock, Effect, Schema } from "effect"
import type { Address } from "../../engine/actors/ActorKind.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { hasBundles } from "./bundles/allDeliveries.ts"
import { earliest } from "./claim.ts"
import { makeClaimParts, SENDABLE_HOOK, windowTimes } from "./claimParts.ts"
import { HALF_OF_CAP, halfOf } from "./replays/replayGate.ts"
import { WebhookSettings } from "./webhookSettings.ts"

const NextDue = Schema.Struct({
  window_start: Schema.Date,
  used: Schema.Int,
  cap: Schema.Int,
  /** Executions of replays in the current window. */
  replayed: Schema.Int,
  delivery: Schema.NullOr(Schema.Date),
  command: Schema.NullOr(Schema.Date),
  /** The first that waits at the gate of a replay. */
  gated: Schema.NullOr(Schema.Date),
  unfinished: Schema.Boolean,
  /** An activation that ended has left some. */
  bundled: Schema.Boolean
})

const DueApp = Schema.Struct({ app_id: Schema.Int, org_id: Schema.Int })

export const makeDueApps = Effect.gen(function* () {
  const sql = yield* Sql
  const settings = yield* WebhookSettings
  const openHook = sql.literal(SENDABLE_HOOK)
  const { standing } = makeClaimParts(sql)

  /** Condition on replays `r` that need work whatever the window says: still choosing, stopped, or without deliveries left in the queue. */
  const unfinished = sql`NOT r.counted OR r.state <> 'running' OR NOT EXISTS (SELECT 1 FROM webhook_queue q WHERE q.replay_id = r.replay_id)`
  /** End of the own window of a hook `h` if it is full; null otherwise. */
  const ownFree = (now: Date) => sql`(
    SELECT w.window_start + ${settings.windowMillis}::int * interval '1 millisecond' FROM hook_windows w
    WHERE w.hook_id = h.hook_id AND w.used >= h.per_minute AND w.window_start > ${windowTimes(settings, now).lapsed})`

  const nextDue = Effect.fnUntraced(function* (id: string) {
    const appId = Number(id)
    const nowMillis = yield* Clock.currentTimeMillis
    const nowDate = new Date(nowMillis)
    const row = yield* rowOf(NextDue)(sql`
      WITH mine AS (SELECT 1), standing AS (
        ${standing({ ...windowTimes(settings, nowDate), app_id: appId, per_window: settings.perWindow })}
      )
      SELECT s.*,
        (SELECT min(greatest(q.due_at, ${ownFree(nowDate)})) FROM hooks h CROSS JOIN LATERAL (${earliest(sql, appId, sql`true`)}) q
          WHERE h.app_id = ${appId} AND ${openHook}) AS delivery,
        (SELECT min(due_at) FROM webhook_commands WHERE app_id = ${appId}) AS command,
        (SELECT min(q.due_at) FROM webhook_replays r JOIN hooks h USING (hook_id) CROSS JOIN LATERAL (
            SELECT due_at FROM webhook_queue WHERE replay_id = r.replay_id AND gated ORDER BY due_at LIMIT 1) q
          WHERE r.app_id = ${appId} AND r.ended_on IS NULL AND ${openHook}) AS gated,
        EXISTS (SELECT 1 FROM webhook_replays r WHERE r.app_id = ${appId} AND r.ended_on IS NULL AND (${unfinished})) AS unfinished,
        ${hasBundles(sql, appId)} AS bundled
      FROM standing s`)
    if (row === undefined) return null
    const at = (due: Date | null) => due?.getTime() ?? Number.POSITIVE_INFINITY
    const windowEnds = row.window_start.getTime() + settings.windowMillis
    const windowFreeAt = row.used < row.cap ? Number.NEGATIVE_INFINITY : windowEnds
    const gated = Math.max(at(row.gated), row.replayed >= halfOf(row.cap) ? windowEnds : windowFreeAt)
    const replay = row.unfinished || row.bundled ? nowMillis : gated
    const due = Math.min(Math.max(at(row.delivery), windowFreeAt), replay, at(row.command))
    return Number.isFinite(due) ? new Date(due) : null
  })

  const withDueRows = (now: Date) =>
    Effect.map(
      rowsOf(DueApp)(sql`
        SELECT app_id, org_id FROM (SELECT DISTINCT app_id, org_id FROM hooks) a LEFT JOIN webhook_windows w USING (app_id)
        WHERE EXISTS (SELECT 1 FROM webhook_commands c WHERE c.app_id = a.app_id AND c.due_at <= ${now})
          OR ${hasBundles(sql, sql`a.app_id`)}
          OR ((w.app_id IS NULL OR w.used < w.cap OR w.window_start <= ${windowTimes(settings, now).lapsed})
            AND EXISTS (
              SELECT 1 FROM webhook_queue q JOIN hooks h USING (hook_id)
              WHERE q.app_id = a.app_id AND greatest(q.due_at, ${ownFree(now)}) <= ${now} AND NOT q.blocked AND ${openHook}))
          OR EXISTS (
            SELECT 1 FROM webhook_replays r WHERE r.app_id = a.app_id AND r.ended_on IS NULL AND (${unfinished}
              OR ((w.app_id IS NULL OR w.replays < ${sql.literal(HALF_OF_CAP)} OR w.window_start <= ${windowTimes(settings, now).lapsed})
                AND EXISTS (
                  SELECT 1 FROM webhook_queue q JOIN hooks h USING (hook_id)
                  WHERE q.replay_id = r.replay_id AND q.gated AND q.due_at <= ${now} AND ${openHook}))))`),
      (rows): ReadonlyArray<Address> =>
        rows.map((row) => ({ id: String(row.app_id), org_id: row.org_id, due_at: null }))
    )

  return { nextDue, withDueRows }
})
