// Rows that the engine leaves behind, for tests without one.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { deliveryId } from "../../../src/domain/webhooks/Delivery.ts"
import { sealContext } from "../../../src/domain/webhooks/mailboxRows.ts"
import { Secrets } from "../../../src/platform/sealing/Secrets.ts"

/** The code that the receiver would have been sent. */
export const verificationCode = Effect.fnUntraced(function* (hookId: number) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const [row] = yield* sql<{ code: Uint8Array }>`SELECT code FROM hooks WHERE hook_id = ${hookId}`
  return yield* secrets.decrypt(row!.code, sealContext(hookId, "code"))
})

/** What an actor leaves behind when a receiver answers 500 for good. */
export const seedFailedDelivery = Effect.fnUntraced(function* (hookId: number, eventId = 7) {
  const sql = yield* SqlClient.SqlClient
  const payload = JSON.stringify({ hook_id: hookId, type: "record.create", record_id: 1, revision_id: 0 })
  yield* sql`
    INSERT INTO webhook_deliveries (hook_id, event_id, record_id, type, status, payload, num_attempts, created_on)
    VALUES (${hookId}, ${eventId}, 1, 'record.create', 'failed', ${payload}, 1, now())`
  yield* sql`
    INSERT INTO webhook_attempts (hook_id, event_id, attempt, attempted_on, status_code, latency_ms)
    VALUES (${hookId}, ${eventId}, 1, now(), 500, 12)`
  return deliveryId(hookId, eventId)
})

/** What the engine leaves behind when a step fails. */
export const seedFailedRun = Effect.fnUntraced(function* (automationId: number) {
  const sql = yield* SqlClient.SqlClient
  const [run] = yield* sql<{ run_id: string }>`
    INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain,
                      failure_reason, error_message, created_on, started_on, completed_on)
    SELECT a.org_id, a.app_id, a.automation_id, max(r.revision_id), 999001, 'regular', 'failed', false, 0, '{}'::bigint[],
           'actions_failed', 'The record is gone.', now(), now(), now()
    FROM automations a JOIN automation_revisions r USING (automation_id)
    WHERE a.automation_id = ${automationId} GROUP BY a.org_id, a.app_id, a.automation_id RETURNING run_id::text`
  yield* sql`
    INSERT INTO run_logs (run_id, seq, type, status, label, messages, action_id, logged_on)
    VALUES (${run!.run_id}::bigint, 1, 'action', 'failure', 'Comment',
            '[{"message":"The record is gone.","level":"error"}]'::jsonb, 'n1', now())`
  return run!.run_id
})
