// Queues deliveries again (decisions W8), in the order of their record with waiting ones (W3): a single one at once, those of a replay job
// at its gate (replays/replayGate.ts, W16).
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { Conflict, type NotFound } from "../../../platform/primitives/errors.ts"
import { countOf, rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { unbundleHook } from "../bundles/unbundle.ts"
import { deliveryId } from "../Delivery.ts"
import { wakeHooks } from "../hookActorCommands.ts"
import { noHook } from "../hookSecrets.ts"
import { isNamedBy, openOfRecord } from "../queueDeliveries.ts"

const HeldHook = Schema.Struct({ app_id: Schema.Int, org_id: Schema.Int, status: Schema.String })

export const makeRequeueDeliveries = Effect.gen(function* () {
  const sql = yield* Sql
  const outbox = yield* Outbox
  const audit = yield* AuditLog

  /** Locks an active hook against fan-outs (hookFanOut.ts) in the transaction: what they add precedes the replay or sees it. */
  const holdActive = Effect.fnUntraced(function* (hookId: number) {
    const hook = yield* rowOf(HeldHook)(sql`
      SELECT app_id, org_id, status FROM hooks WHERE hook_id = ${hookId} FOR UPDATE`)
    if (hook === undefined) return yield* noHook(hookId)
    if (hook.status !== "active")
      return yield* new Conflict({ message: "The hook is inactive: verify it, then replay." })
    yield* unbundleHook(sql, hookId)
    return hook
  })

  /** Wakes the app's actor. */
  const wake = (hook: Pick<typeof HeldHook.Type, "app_id" | "org_id">) => outbox.append([wakeHooks(hook)])

  /**
   * CTEs over a table `chosen (event_id, record_id, app_id, status, ordered)`. Events that were never tried keep the order of their record:
   * after earlier ones that wait, and before later ones whose sending has not begun. Deliveries that are queued or retrying already are due
   * at once, with all their retries; in a job a retry goes to the gate too.
   */
  const queueing = (hookId: number, now: Date, replayId: number | null) => {
    const gate = sql.literal(String(replayId !== null))
    const gated = sql.literal(
      `${replayId !== null} AND NOT webhook_queue.ordered AND webhook_queue.claims = 0 AND webhook_queue.replay_id IS NULL`
    )
    return sql`
    first AS (
      SELECT record_id, min(event_id) AS event_id FROM chosen WHERE ordered GROUP BY record_id
    ), behind AS (
      SELECT q.* FROM (SELECT * FROM first ORDER BY record_id) f CROSS JOIN LATERAL (
        SELECT q.hook_id, q.event_id FROM ${openOfRecord(sql, hookId, sql`f.record_id`)} AND q.claims = 0 AND q.event_id > f.event_id
        ORDER BY q.event_id FOR UPDATE) q
    ), waits AS (
      UPDATE webhook_queue q SET blocked = true FROM behind b WHERE ${isNamedBy(sql, "b")}
    ), queued AS (
      INSERT INTO webhook_queue (hook_id, event_id, app_id, record_id, ordered, blocked, due_at, replay_id, gated, former)
      SELECT ${hookId}, c.event_id, c.app_id, c.record_id, c.ordered, ${gate} OR (c.ordered AND (
        row_number() OVER (PARTITION BY c.record_id, c.ordered ORDER BY c.event_id) > 1
        OR EXISTS (SELECT 1 FROM ${openOfRecord(sql, hookId, sql`c.record_id`)} AND q.event_id < c.event_id))), ${now}, ${replayId}::bigint, ${gate}, CASE WHEN ${gate} THEN c.status END
      FROM chosen c ORDER BY c.record_id, c.event_id
      ON CONFLICT (hook_id, event_id) DO UPDATE SET due_at = least(webhook_queue.due_at, excluded.due_at), tries = 0,
        replay_id = CASE WHEN ${gated} THEN excluded.replay_id ELSE webhook_queue.replay_id END,
        blocked = webhook_queue.blocked OR (${gated}), gated = webhook_queue.gated OR (${gated})
    ), logged AS (
      UPDATE webhook_deliveries d SET status = 'queued', next_attempt_on = NULL,
        withheld_on = CASE WHEN ${gate} THEN d.withheld_on END
      FROM chosen c WHERE d.hook_id = ${hookId} AND d.event_id = c.event_id
    )`
  }

  const queueDelivery = Effect.fnUntraced(function* (
    hookId: number,
    eventId: number,
    by: number | null
  ): Effect.fn.Return<number, NotFound | Conflict | SqlError> {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    const hook = yield* holdActive(hookId)
    const replayed = yield* countOf(sql`
      WITH chosen AS (
        SELECT event_id, record_id, ${hook.app_id}::bigint AS app_id, status, num_attempts = 0 AND record_id IS NOT NULL AS ordered
        FROM webhook_deliveries WHERE hook_id = ${hookId} AND event_id = ${eventId}
      ), ${queueing(hookId, nowDate, null)}
      SELECT count(*)::int AS n FROM chosen`)
    yield* wake(hook)
    yield* audit.record({
      event: "hook.delivery_replayed",
      orgId: hook.org_id,
      userId: by ?? undefined,
      details: { hook_id: hookId, delivery_id: deliveryId(hookId, eventId) }
    })
    return replayed
  })

  return {
    holdActive,
    wake,
    queueing,
    /** @param by who asks; null: the operator */
    one: (hookId: number, eventId: number, by: number | null) => sql.withTransaction(queueDelivery(hookId, eventId, by))
  }
})
