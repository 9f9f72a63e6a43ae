// Expires deliveries that have waited seven days for a paused hook (decisions W12), counted from the later of their due time and the pause.
import type { Sql } from "../../platform/sql/Sql.ts"

/** Expires up to `most` deliveries. A resume, which precedes this or waits for it, releases the deliveries behind an expired one. */
export const expirePaused = (sql: Sql, before: Date, most: number) => sql`
  WITH due AS (
    SELECT q.hook_id, q.event_id FROM hooks h JOIN webhook_queue q USING (hook_id)
    WHERE h.paused_on <= ${before} AND q.due_at <= ${before}
    ORDER BY q.hook_id, q.record_id, q.event_id LIMIT ${most}
    FOR UPDATE OF q SKIP LOCKED FOR SHARE OF h SKIP LOCKED
  ), gone AS (
    DELETE FROM webhook_queue q USING due WHERE q.hook_id = due.hook_id AND q.event_id = due.event_id
    RETURNING q.hook_id, q.event_id
  )
  UPDATE webhook_deliveries d SET status = 'expired', next_attempt_on = NULL
  FROM gone WHERE d.hook_id = gone.hook_id AND d.event_id = gone.event_id
  RETURNING 1`
