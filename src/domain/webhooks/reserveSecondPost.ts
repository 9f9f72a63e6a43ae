// Reserves an execution for a second POST within one attempt, after a 401 and with a renewed token (decisions W1, W4): it counts in the
// window of the app, and in that of the hook if it has one. If a window is full, the delivery is retried as after any failure.
import { Clock, Effect } from "effect"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { windowRow, windowTimes } from "./claimParts.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

export const makeReserveSecondPost = Effect.gen(function* () {
  const sql = yield* Sql
  const settings = yield* WebhookSettings

  return Effect.fnUntraced(function* (appId: number, hookId: number) {
    const { replays, start, used } = windowRow(sql, windowTimes(settings, new Date(yield* Clock.currentTimeMillis)))
    const windowRows = yield* sql`
      WITH own AS (
        SELECT h.hook_id FROM hooks h LEFT JOIN hook_windows w USING (hook_id)
        WHERE h.hook_id = ${hookId} AND (h.per_minute IS NULL OR ${used} < h.per_minute)
      ), taken AS (
        UPDATE webhook_windows w SET window_start = ${start}, used = ${used} + 1, replays = ${replays}
        WHERE w.app_id = ${appId} AND ${used} < w.cap AND EXISTS (SELECT 1 FROM own)
        RETURNING 1
      ), counted AS (
        UPDATE hook_windows w SET window_start = ${start}, used = ${used} + 1
        WHERE w.hook_id = ${hookId} AND EXISTS (SELECT 1 FROM taken)
      )
      SELECT 1 FROM taken`
    return windowRows.length > 0
  }, orSqlDefect)
})
