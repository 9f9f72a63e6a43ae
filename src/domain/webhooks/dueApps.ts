// When the actor of an app's webhooks has something to do: deliveries within its window, commands at once (decisions W3, W5).
import { Clock, Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { Address } from "../../engine/actors/ActorKind.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { hasBundles } from "./bundles/allDeliveries.ts"
import { earliest } from "./claim.ts"
import { makeClaimParts, SENDABLE_HOOK, windowTimes } from "./claimParts.ts"
import { HALF_OF_CAP } from "./replays/replayGate.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

const DueApp = Schema.Struct({ app_id: Schema.Int, org_id: Schema.Int, due_at: Schema.Date })

export const makeDueApps = Effect.gen(function* () {
  const sql = yield* Sql
  const settings = yield* WebhookSettings
  const openHook = sql.literal(SENDABLE_HOOK)
  const { standing } = makeClaimParts(sql)

  /** Condition on replays `r` that need work whatever the window says: still choosing, stopped, or without deliveries left in the queue. */
  const unfinished = sql`NOT r.counted OR r.state <> 'running' OR NOT EXISTS (SELECT 1 FROM webhook_queue q WHERE q.replay_id = r.replay_id)`
  const openReplay = sql`r.app_id = d.app_id AND r.ended_on IS NULL`

  /** The apps of a table that have something to do, with the instant at which they do. */
  const dueOf = (now: Date, apps: Statement.Fragment, condition = sql`true`) => {
    const times = windowTimes(settings, now)
    const endOf = (window: "hook_window" | "app_window") =>
      sql`${sql.literal(window)}.window_start + ${settings.windowMillis}::int * interval '1 millisecond'`
    return rowsOf(DueApp)(sql`
      WITH mine AS (SELECT 1), due AS MATERIALIZED (SELECT d.app_id, d.org_id, least(
        CASE WHEN EXISTS (SELECT 1 FROM webhook_replays r WHERE ${openReplay} AND (${unfinished})) OR ${hasBundles(sql, sql`d.app_id`)}
          THEN ${now}::timestamptz END,
        (SELECT min(due_at) FROM webhook_commands c WHERE c.app_id = d.app_id),
        (SELECT greatest(min(greatest(q.due_at, (
            SELECT ${endOf("hook_window")} FROM hook_windows hook_window
            WHERE hook_window.hook_id = h.hook_id AND hook_window.used >= h.per_minute AND hook_window.window_start > ${times.lapsed}))),
            CASE WHEN app_window.used >= app_window.cap THEN ${endOf("app_window")} END)
          FROM hooks h CROSS JOIN LATERAL (${earliest(sql, sql`d.app_id`, sql`true`)}) q
          WHERE h.app_id = d.app_id AND ${openHook} HAVING count(*) > 0),
        (SELECT greatest(min(q.due_at),
            CASE WHEN app_window.used >= app_window.cap OR app_window.replayed >= ${sql.literal(HALF_OF_CAP)} THEN ${endOf("app_window")} END)
          FROM webhook_replays r JOIN hooks h USING (hook_id) CROSS JOIN LATERAL (
            SELECT due_at FROM webhook_queue WHERE replay_id = r.replay_id AND gated ORDER BY due_at LIMIT 1) q
          WHERE ${openReplay} AND ${openHook} HAVING count(*) > 0)) AS due_at
      FROM ${apps} d CROSS JOIN LATERAL (${standing({ ...times, app_id: sql`d.app_id`, per_window: settings.perWindow })}) app_window
      ) SELECT * FROM due WHERE due_at IS NOT NULL AND ${condition}`)
  }

  const nextDue = Effect.fnUntraced(function* (id: string) {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    const [app] = yield* dueOf(nowDate, sql`(SELECT app_id, org_id FROM apps WHERE app_id = ${Number(id)})`)
    return app?.due_at ?? null
  })

  const withDueRows = (now: Date) =>
    Effect.map(dueOf(now, sql`(SELECT DISTINCT app_id, org_id FROM hooks)`, sql`due_at <= ${now}`), (apps) =>
      apps.map(({ app_id, org_id }): Address => ({ id: String(app_id), org_id, due_at: null }))
    )

  return { nextDue, withDueRows }
})
