// Statements that write a batch of results, and release the deliveries that waited for them (decisions W2, W3, W8). Whoever locks several
// rows of the queue does so in the order of hook, record and event, to avoid deadlocks.
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import { atMost } from "../../platform/sql/listParameters.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import type { DeliveryStatus } from "./Delivery.ts"
import { isNamedBy, lockedDeliveries, openOfRecord } from "./queueDeliveries.ts"

/** Rows of one execution. */
export interface Written {
  readonly hook_id: number
  readonly event_id: number
  readonly record_id: number | null
  /** True for a first attempt, which later deliveries of its record wait for. */
  readonly ordered: boolean
  readonly attempt: number
  readonly status: DeliveryStatus
  readonly attempted_on: Date
  readonly status_code: number | null
  readonly latency_ms: number
  readonly error: string | null
  readonly response_body: string | null
  readonly next_attempt_on: Date | null
}

/** Parts of the statement of writeResults.ts that write results of deliveries in one form. */
export interface ResultForm {
  /** CTEs that lock the form's rows of the batch. */
  readonly locked: (written: ReadonlyArray<Written>) => Statement.Fragment
  /** Condition that all of the batch still have this form. */
  readonly isThere: (count: number) => Statement.Fragment
  /** CTEs that write a table `r` of results. */
  readonly resultWrites: (now: Date) => Statement.Fragment
}

export const makeResultStatements = Effect.gen(function* () {
  const sql = yield* Sql

  /** The batch as rows of a table `x`. Of many columns that hold no JSON `json` makes rows in a third of the time of `jsonb`. */
  const batchRows = (written: ReadonlyArray<Written>) =>
    atMost(
      sql,
      written.length,
      sql`json_to_recordset(${JSON.stringify(written)}::json) AS r(
        hook_id bigint, event_id bigint, record_id bigint, ordered boolean, attempt integer, status text,
        attempted_on timestamptz, status_code integer, latency_ms integer, error text, response_body text, next_attempt_on timestamptz)`
    )

  /**
   * CTEs over a table `r` of such rows. A delivery that was withheld or expired while its POST was in flight stays so if the POST failed
   * (W5).
   */
  const resultWrites = (now: Date) => sql`
    told AS (
      SELECT x.*, CASE WHEN q.event_id IS NOT NULL THEN x.next_attempt_on END AS again_on,
        x.next_attempt_on IS NOT NULL AND q.event_id IS NULL AS gone
      FROM ${lockedDeliveries(sql, "r", "UPDATE")}
    ), attempts AS (
      INSERT INTO webhook_attempts
        (hook_id, event_id, attempt, attempted_on, status_code, latency_ms, error, response_body, next_attempt_on)
      SELECT hook_id, event_id, attempt, attempted_on, status_code, latency_ms, error, response_body, again_on FROM told
      ON CONFLICT DO NOTHING
    ), logged AS (
      UPDATE webhook_deliveries d SET status = CASE WHEN t.gone THEN d.status ELSE t.status END, num_attempts = t.attempt,
        next_attempt_on = t.again_on,
        withheld_on = CASE WHEN t.gone THEN d.withheld_on WHEN t.status = 'withheld' THEN ${now}::timestamptz END
      FROM told t WHERE ${isNamedBy(sql, "t", "d")}
    ), done AS (
      DELETE FROM webhook_queue q USING told t WHERE ${isNamedBy(sql, "t")} AND t.next_attempt_on IS NULL
    ), again AS (
      UPDATE webhook_queue q SET ordered = false, blocked = q.replay_id IS NOT NULL, gated = q.replay_id IS NOT NULL,
        tries = q.tries + 1, due_at = t.again_on, fence = 0, claims = 0
      FROM told t WHERE ${isNamedBy(sql, "t")} AND t.again_on IS NOT NULL
    )`

  const queueForm: ResultForm = { locked: () => sql``, isThere: () => sql`true`, resultWrites }

  /** Writes results of rows of the queue, whatever becomes of their hooks. */
  const write = (written: ReadonlyArray<Written>, now: Date) =>
    sql`WITH r AS (SELECT x.* FROM ${batchRows(written)}), ${resultWrites(now)} SELECT 1`

  /** Releases the first delivery of each record of a table if it is only blocked by its predecessor: a gate is opened by its replay only (W16). */
  const releaseFirst = (records: Statement.Fragment) => sql`
    WITH first AS (
      SELECT r.hook_id, r.record_id, f.event_id FROM (SELECT DISTINCT hook_id, record_id FROM ${records}) r CROSS JOIN LATERAL (
        SELECT q.event_id, q.blocked AND NOT q.gated AS held FROM ${openOfRecord(sql, sql`r.hook_id`, sql`r.record_id`)}
        ORDER BY q.event_id LIMIT 1) f
      WHERE f.held
    ), held AS (
      SELECT q.hook_id, q.event_id FROM ${lockedDeliveries(sql, "first", "NO KEY UPDATE", sql`q.blocked AND NOT q.gated`)}
    )
    UPDATE webhook_queue q SET blocked = false FROM held WHERE ${isNamedBy(sql, "held")} RETURNING 1`

  /**
   * Releases the next deliveries of the records. A separate statement after the results: a fan-out that adds a successor locks the last one
   * before it (hookFanOut.ts), so it either follows the results or this statement sees what it added.
   */
  const release = (written: ReadonlyArray<Pick<Written, "hook_id" | "record_id">>) => {
    const rows = JSON.stringify(written.map(({ hook_id, record_id }) => ({ hook_id, record_id })))
    const records = sql`jsonb_to_recordset(${rows}::jsonb) AS r(hook_id bigint, record_id bigint)`
    return releaseFirst(atMost(sql, written.length, records))
  }

  /** Releases the first of each record, of a whole app after a crash between results and release, or of one hook. */
  const releaseAll = (of: "app_id" | "hook_id", id: number) =>
    releaseFirst(
      sql`hooks h JOIN webhook_queue q USING (hook_id) WHERE ${sql.literal(`h.${of}`)} = ${id} AND q.ordered`
    )

  return { given: batchRows, queueForm, release, releaseAll, write }
})
