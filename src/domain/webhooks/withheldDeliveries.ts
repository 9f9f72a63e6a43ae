// Withholds the undelivered deliveries of a hook that loses its verification (decisions W5, W11). The caller locks the hook `FOR UPDATE`.
// Fan-outs lock it `FOR KEY SHARE`, so what they add either precedes the withholding or is withheld.
import { Effect } from "effect"
import { Sql } from "../../platform/sql/Sql.ts"
import { unbundleHook } from "./bundles/unbundle.ts"
import { isNamedBy } from "./queueDeliveries.ts"

export const makeWithheldDeliveries = Effect.gen(function* () {
  const sql = yield* Sql
  return (hookId: number, now: Date) =>
    Effect.all([
      sql`UPDATE hooks SET lost_on = ${now} WHERE hook_id = ${hookId}`,
      unbundleHook(sql, hookId),
      sql`
        WITH open AS (SELECT hook_id, event_id FROM webhook_queue WHERE hook_id = ${hookId} ORDER BY record_id, event_id FOR UPDATE),
        gone AS (
          DELETE FROM webhook_queue q USING open WHERE ${isNamedBy(sql, "open")}
          RETURNING q.hook_id, q.event_id)
        UPDATE webhook_deliveries d SET status = 'withheld', withheld_on = ${now}, next_attempt_on = NULL
        FROM gone g WHERE ${isNamedBy(sql, "g", "d")}`
    ])
})
