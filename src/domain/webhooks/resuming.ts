// A hook that is resumed (decisions W12): what has waited goes out in order. The first of each record may wait for one that has expired
// meanwhile (pausedExpiry.ts), so it is let go here. In the transaction of the change.
import { Effect } from "effect"
import { defaultSwitches } from "../../engine/outbox/Event.ts"
import { Outbox } from "../../engine/outbox/Outbox.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import type { AccessGrant } from "../accounts/Access.ts"

export const makeResuming = Effect.gen(function* () {
  const sql = yield* Sql
  const outbox = yield* Outbox

  return ({ appId, id, orgId }: AccessGrant) =>
    Effect.andThen(
      sql`
        WITH first AS (
          SELECT DISTINCT ON (record_id) event_id, blocked FROM webhook_queue
          WHERE hook_id = ${id} AND ordered ORDER BY record_id, event_id)
        UPDATE webhook_queue q SET blocked = false FROM first f
        WHERE f.blocked AND q.hook_id = ${id} AND q.event_id = f.event_id`,
      outbox.append([
        {
          type: "command.hook.replay",
          payload: {},
          org_id: orgId,
          app_id: appId,
          record_id: null,
          switches: defaultSwitches,
          depth: 0,
          cause: null
        }
      ])
    )
})
