// Deliveries that are queued again (decisions W8), behind and before those of their record that wait (W3).
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { defaultSwitches } from "../../engine/outbox/Event.ts"
import { Outbox } from "../../engine/outbox/Outbox.ts"
import { Conflict, NotFound } from "../../ground/primitives/errors.ts"
import { countOf, rowOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"

const HeldHook = Schema.Struct({ app_id: Schema.Int, org_id: Schema.Int, status: Schema.String })

export const makeDeliveryReplay = Effect.gen(function* () {
  const sql = yield* Sql
  const outbox = yield* Outbox

  /**
   * Queues the chosen deliveries again and wakes the actor; what is queued or retrying already is due at once, with all its
   * retries. Held against fan-outs (hookFanOut.ts): what they add comes before the replay or sees it.
   */
  const again = Effect.fnUntraced(function* (hookId: number, chosen: (now: Date) => Effect.Effect<number, SqlError>) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const hook = yield* rowOf(HeldHook)(sql`
      SELECT app_id, org_id, status FROM hooks WHERE hook_id = ${hookId} FOR UPDATE`)
    if (hook === undefined) return yield* new NotFound({ message: `No hook with id ${hookId}.` })
    if (hook.status !== "active")
      return yield* new Conflict({ message: "The hook is inactive: verify it, then replay." })
    const replayed = yield* chosen(now)
    const { app_id, org_id } = hook
    yield* outbox.append([
      {
        type: "command.hook.replay",
        payload: {},
        org_id,
        app_id,
        record_id: null,
        switches: defaultSwitches,
        depth: 0,
        cause: null
      }
    ])
    return replayed
  })

  /**
   * Events that were never tried keep the order of their record (W3): behind earlier ones that wait, and before later ones
   * that nobody has begun to send.
   */
  const queueAgain = (hookId: number, which: Fragment, now: Date) =>
    countOf(sql`
    WITH chosen AS (
      SELECT d.event_id, d.record_id, h.app_id, d.num_attempts = 0 AND d.record_id IS NOT NULL AS ordered
      FROM webhook_deliveries d JOIN hooks h USING (hook_id) WHERE d.hook_id = ${hookId} AND ${which}
    ), first AS (
      SELECT record_id, min(event_id) AS event_id FROM chosen WHERE ordered GROUP BY record_id
    ), behind AS (
      SELECT q.event_id FROM webhook_queue q JOIN first f ON f.record_id = q.record_id
      WHERE q.hook_id = ${hookId} AND q.ordered AND q.claims = 0 AND q.event_id > f.event_id
      ORDER BY q.record_id, q.event_id FOR UPDATE OF q
    ), waits AS (
      UPDATE webhook_queue q SET blocked = true FROM behind b WHERE q.hook_id = ${hookId} AND q.event_id = b.event_id
    ), queued AS (
      INSERT INTO webhook_queue (hook_id, event_id, app_id, record_id, ordered, blocked, due_at)
      SELECT ${hookId}, c.event_id, c.app_id, c.record_id, c.ordered, c.ordered AND (
        c.event_id > (SELECT f.event_id FROM first f WHERE f.record_id = c.record_id)
        OR EXISTS (SELECT 1 FROM webhook_queue q WHERE q.hook_id = ${hookId} AND q.record_id = c.record_id AND q.ordered
          AND q.event_id < c.event_id)), ${now}
      FROM chosen c ORDER BY c.record_id, c.event_id
      ON CONFLICT (hook_id, event_id) DO UPDATE SET due_at = least(webhook_queue.due_at, excluded.due_at), tries = 0
    ), logged AS (
      UPDATE webhook_deliveries d SET status = 'queued', next_attempt_on = NULL, withheld_on = NULL
      FROM chosen c WHERE d.hook_id = ${hookId} AND d.event_id = c.event_id
    )
    SELECT count(*)::int AS n FROM chosen`)

  return (hookId: number, which: Fragment) =>
    sql.withTransaction(again(hookId, (now) => queueAgain(hookId, which, now)))
})
