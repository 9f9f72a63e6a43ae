// Commits what executions came to, many at once: attempt rows, deliveries, queue, failure counts and next tries in one
// transaction (decisions W1, W2, W3, W5).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { DeliveryRow } from "./actor.ts"
import type { Outcome } from "./attempt.ts"
import type { DeliveryStatus } from "./Delivery.ts"
import { afterExecution, type HookHealth, type Notice } from "./failures.ts"
import type { HookNotices } from "./HookNotices.ts"
import { nextAttempt } from "./retry.ts"
import type { WebhookSettingsShape } from "./settings.ts"

export interface Result {
  readonly row: DeliveryRow
  readonly outcome: Outcome
}

interface HookRow {
  readonly hook_id: number
  readonly app_id: number
  readonly org_id: number
  readonly host: string
  readonly type: string
  readonly status: "active" | "inactive"
  readonly num_failed_executions: number
  readonly alerted: number
}

interface Verdict {
  readonly status: DeliveryStatus
  readonly next: Date | null
}

/** @param active whether the hook is still verified after this execution */
const verdictOf = (
  { row, outcome }: Result,
  active: boolean,
  delays: ReadonlyArray<number>,
  random: number
): Verdict => {
  if (outcome.ok) return { status: "delivered", next: null }
  if (!active) return { status: "withheld", next: null }
  const ended = outcome.attemptedOn.getTime() + outcome.latencyMillis
  const next = nextAttempt(outcome, row.tries + 1, delays, ended, random)
  return next === null ? { status: "failed", next } : { status: "retrying", next }
}

export const makeWriteResults = (settings: WebhookSettingsShape, notices: HookNotices["Service"]) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const lockHooks = (ids: ReadonlyArray<number>) => sql<HookRow>`
      SELECT hook_id, app_id, org_id, host, type, status, num_failed_executions, alerted FROM hooks
      WHERE hook_id = ANY(${ids.map(String)}::bigint[]) ORDER BY hook_id FOR NO KEY UPDATE`

    /** All rows of one batch in one statement; a first attempt that has its answer lets its record's next one go. */
    const writeRows = (rows: ReadonlyArray<Record<string, unknown>>, now: Date) => sql`
      WITH r AS (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(
          hook_id bigint, event_id bigint, record_id bigint, ordered boolean, attempt integer, status text,
          attempted_on timestamptz, status_code integer, latency_ms integer, error text, response_body text, next_attempt_on timestamptz)
      ), attempts AS (
        INSERT INTO webhook_attempts
          (hook_id, event_id, attempt, attempted_on, status_code, latency_ms, error, response_body, next_attempt_on)
        SELECT hook_id, event_id, attempt, attempted_on, status_code, latency_ms, error, response_body, next_attempt_on FROM r
        ON CONFLICT DO NOTHING
      ), logged AS (
        UPDATE webhook_deliveries d SET status = r.status, num_attempts = r.attempt, next_attempt_on = r.next_attempt_on,
          withheld_on = CASE WHEN r.status = 'withheld' THEN ${now}::timestamptz END
        FROM r WHERE d.hook_id = r.hook_id AND d.event_id = r.event_id
      ), done AS (
        DELETE FROM webhook_queue q USING r
        WHERE q.hook_id = r.hook_id AND q.event_id = r.event_id AND r.next_attempt_on IS NULL
      ), again AS (
        UPDATE webhook_queue q SET ordered = false, tries = q.tries + 1, due_at = r.next_attempt_on, fence = 0, claims = 0
        FROM r WHERE q.hook_id = r.hook_id AND q.event_id = r.event_id AND r.next_attempt_on IS NOT NULL
      )
      UPDATE webhook_queue n SET blocked = false
      FROM r WHERE r.ordered AND n.blocked AND n.hook_id = r.hook_id AND n.record_id = r.record_id AND n.event_id = (
        SELECT min(m.event_id) FROM webhook_queue m
        WHERE m.hook_id = r.hook_id AND m.record_id = r.record_id AND m.ordered AND m.event_id <> r.event_id)`

    const writeHealth = (hook: HookRow, { status, failures, alerted }: HookHealth) => sql`
      UPDATE hooks SET num_failed_executions = ${failures}, alerted = ${alerted}, status = ${status} WHERE hook_id = ${hook.hook_id}`

    /** Everything undelivered of a hook that has just lost its verification. */
    const withhold = (hookId: number, now: Date) =>
      Effect.andThen(
        sql`UPDATE hooks SET lost_on = ${now} WHERE hook_id = ${hookId}`,
        sql`
          WITH gone AS (DELETE FROM webhook_queue WHERE hook_id = ${hookId} RETURNING hook_id, event_id)
          UPDATE webhook_deliveries d SET status = 'withheld', withheld_on = ${now}, next_attempt_on = NULL
          FROM gone g WHERE d.hook_id = g.hook_id AND d.event_id = g.event_id`
      )

    return Effect.fnUntraced(function* (results: ReadonlyArray<Result>, now: Date, random: () => number) {
      const rows = yield* lockHooks([...new Set(results.map(({ row }) => row.hook_id))].sort((a, b) => a - b))
      const hooks = new Map(rows.map((hook) => [hook.hook_id, hook]))
      const health = new Map<number, HookHealth>(
        rows.map((hook) => [
          hook.hook_id,
          { status: hook.status, failures: hook.num_failed_executions, alerted: hook.alerted }
        ])
      )
      const told: Array<{ readonly hook: HookRow; readonly notice: Notice; readonly failures: number }> = []
      const written: Array<Record<string, unknown>> = []
      for (const result of results) {
        const { row, outcome } = result
        const hook = hooks.get(row.hook_id)
        // Deleted while the POST was in the air: its rows are gone with it.
        if (hook === undefined) continue
        const after = afterExecution(health.get(row.hook_id)!, outcome.ok, settings.failuresAllowed)
        health.set(row.hook_id, after.health)
        if (after.notice !== null) told.push({ hook, notice: after.notice, failures: after.health.failures })
        const verdict = verdictOf(result, after.health.status === "active", settings.retryDelays, random())
        written.push({
          hook_id: row.hook_id,
          event_id: row.event_id,
          record_id: row.record_id,
          ordered: row.ordered,
          attempt: row.num_attempts + 1,
          status: verdict.status,
          attempted_on: outcome.attemptedOn,
          status_code: outcome.status,
          latency_ms: Math.round(outcome.latencyMillis),
          error: outcome.error,
          response_body: outcome.body,
          next_attempt_on: verdict.next
        })
      }
      const changed = rows.filter((hook) => {
        const after = health.get(hook.hook_id)!
        return (
          after.failures !== hook.num_failed_executions ||
          after.alerted !== hook.alerted ||
          after.status !== hook.status
        )
      })
      // Sent together: each statement's way there and back is time in which this transaction holds a connection.
      yield* Effect.all(
        [
          written.length > 0 ? writeRows(written, now) : Effect.void,
          ...changed.map((hook) => writeHealth(hook, health.get(hook.hook_id)!))
        ],
        { concurrency: "unbounded", discard: true }
      )
      for (const hook of rows) if (health.get(hook.hook_id)!.status !== hook.status) yield* withhold(hook.hook_id, now)
      for (const { hook, notice, failures } of told) {
        const { hook_id, app_id, org_id, host, type } = hook
        yield* notices.tell({
          hook_id,
          app_id,
          org_id,
          host,
          type,
          failures,
          allowed: settings.failuresAllowed,
          notice
        })
      }
      return health as ReadonlyMap<number, HookHealth>
    })
  })
