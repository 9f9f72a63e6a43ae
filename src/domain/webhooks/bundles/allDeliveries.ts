// The deliveries of both forms, rows and bundles (docs/architecture/flow.md, "Bundles"), for whoever reads, counts or looks for some: nobody else
// need know that there are two.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { payloadIn } from "./bundledRow.ts"

/** The delivery log as a table in parentheses: the bundles of a hook are found by its app. */
export const allDeliveries = (sql: Sql) =>
  sql.literal(`(
    SELECT hook_id, event_id, record_id, type, status, payload, num_attempts, next_attempt_on, created_on FROM webhook_deliveries
    UNION ALL SELECT h.hook_id, b.event_id, b.record_id, b.type, 'queued', ${payloadIn("h.hook_id", "b.rest")}, 0, NULL::timestamptz, b.created_on
    FROM hooks h JOIN webhook_bundles b ON b.app_id = h.app_id AND h.hook_id = ANY(b.hooks))`)

/**
 * Number of deliveries that are due in all apps, and the instant since which the oldest is. A bundle counts as it is, without a look at its
 * hooks: deliveries of one that is paused are returned to the queue within a moment, where they do not count. Those of deleted hooks and apps wait
 * for nothing but housekeeping.
 */
export const dueDeliveries = (sql: Sql, now: Date) => sql`
  SELECT (queue.count + coalesce(bundled.count, 0))::int AS count, least(queue.oldest, bundled.oldest) AS oldest FROM (
    SELECT count(*) AS count, min(due_at) AS oldest FROM webhook_queue q WHERE NOT blocked AND due_at <= ${now}
      AND EXISTS (SELECT 1 FROM hooks h WHERE h.hook_id = q.hook_id AND h.paused_on IS NULL)
  ) AS queue, (
    SELECT sum(cardinality(hooks)) AS count, min(due_at) AS oldest FROM webhook_bundles b
    WHERE EXISTS (SELECT 1 FROM apps a WHERE a.app_id = b.app_id)
  ) AS bundled`

/**
 * Counts of waiting deliveries by hook, of the hooks `h` that meet the condition, as a table in parentheses. Reads the bundles of their apps
 * in one pass, however many hooks there are.
 * @param most bound of the count; undefined: none
 */
export const waitingByHook = (sql: Sql, which: Statement.Fragment, most?: number) => sql`(
  WITH bundled AS MATERIALIZED (
    SELECT u.hook_id, count(*) AS waiting, min(b.due_at) AS next_due, min(b.created_on) AS oldest
    FROM webhook_bundles b CROSS JOIN unnest(b.hooks) AS u (hook_id)
    WHERE b.app_id = ANY(ARRAY(SELECT DISTINCT h.app_id FROM hooks h WHERE ${which})) GROUP BY u.hook_id
  ), counted AS MATERIALIZED (
    SELECT h.hook_id, least(q.waiting + coalesce(b.waiting, 0), ${most ?? null}::int)::int AS waiting, q.behind, q.gated, q.retries,
      least(q.next_due, b.next_due) AS next_due,
      least(b.oldest, (SELECT created_on FROM webhook_deliveries d WHERE d.hook_id = h.hook_id AND d.event_id = q.first)) AS oldest
    FROM hooks h CROSS JOIN LATERAL (
      SELECT count(*) AS waiting, (count(*) FILTER (WHERE blocked AND NOT gated))::int AS behind, (count(*) FILTER (WHERE gated))::int AS gated,
        (count(*) FILTER (WHERE tries > 0))::int AS retries, min(due_at) FILTER (WHERE NOT blocked) AS next_due, min(event_id) AS first
      FROM (SELECT * FROM webhook_queue WHERE hook_id = h.hook_id ${most === undefined ? sql`` : sql`ORDER BY event_id LIMIT ${most}`}) w
    ) q LEFT JOIN bundled b ON b.hook_id = h.hook_id
    WHERE ${which}
  ) SELECT * FROM counted)`

/** Condition on an app's id: bundles are left, of an activation that has ended. */
export const hasBundles = (sql: Sql, appId: number | Statement.Fragment) =>
  sql`EXISTS (SELECT 1 FROM webhook_bundles b WHERE b.app_id = ${appId})`

/** Removes bundles of deleted apps: nothing else ends them. */
export const removeOrphans = (sql: Sql) =>
  sql`DELETE FROM webhook_bundles b WHERE NOT EXISTS (SELECT 1 FROM apps a WHERE a.app_id = b.app_id)`
