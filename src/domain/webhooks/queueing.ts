// Inserts deliveries into the log and the queue (decisions W3, W5), blocked by open deliveries of the same record.
import type { Sql } from "../../platform/sql/Sql.ts"

export const makeQueueing = (sql: Sql) => {
  /**
   * CTEs over a table `given (hook_id, event_id, app_id, record_id, type, status, payload, created_on, traceparent)`. Unique by hook and
   * event: existing rows stay as they are.
   */
  const queued = (now: unknown) => sql`
    logged AS (
      INSERT INTO webhook_deliveries (hook_id, event_id, record_id, type, status, payload, created_on, traceparent, withheld_on)
      SELECT hook_id, event_id, record_id, type, status, payload, created_on, traceparent,
        CASE WHEN status = 'withheld' THEN ${now}::timestamptz END
      FROM given ON CONFLICT DO NOTHING
      RETURNING hook_id, event_id, status
    ), open AS (
      SELECT g.* FROM given g JOIN logged m USING (hook_id, event_id) WHERE m.status = 'queued'
    ), queued AS (
      INSERT INTO webhook_queue (hook_id, event_id, app_id, record_id, ordered, blocked, due_at)
      SELECT o.hook_id, o.event_id, o.app_id, o.record_id, o.record_id IS NOT NULL,
        o.record_id IS NOT NULL AND (
          row_number() OVER (PARTITION BY o.hook_id, o.record_id ORDER BY o.event_id) > 1
          OR EXISTS (SELECT 1 FROM webhook_queue q WHERE q.hook_id = o.hook_id AND q.record_id = o.record_id AND q.ordered)),
        ${now}
      FROM open o
    )`
  return { queued }
}
