// The deliveries of both forms, rows and bundles (docs/architecture/flow.md, "Bundles"), for whoever reads, counts or looks for some: nobody else
// need know that there are two.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { payloadIn } from "./bundledRow.ts"

/** Deliveries of bundles: those of a hook are found by its app. */
const OF_BUNDLES = "hooks h JOIN webhook_bundles b ON b.app_id = h.app_id AND h.hook_id = ANY(b.hooks)"

/** The delivery log as a table in parentheses. */
export const allDeliveries = (sql: Sql) =>
  sql.literal(`(
    SELECT hook_id, event_id, record_id, type, status, payload, num_attempts, next_attempt_on, created_on FROM webhook_deliveries
    UNION ALL SELECT h.hook_id, b.event_id, b.record_id, b.type, 'queued', ${payloadIn("h.hook_id", "b.rest")}, 0, NULL::timestamptz, b.created_on
    FROM ${OF_BUNDLES})`)

/** Deliveries that are not over, as a table in parentheses. */
export const waitingDeliveries = (sql: Sql) =>
  sql.literal(`(
    SELECT hook_id, event_id, due_at, blocked, gated, tries FROM webhook_queue
    UNION ALL SELECT h.hook_id, b.event_id, b.due_at, false, false, 0 FROM ${OF_BUNDLES})`)

/** Condition on an app's id: bundles are left, of an activation that has ended. */
export const hasBundles = (sql: Sql, appId: number | Statement.Fragment) =>
  sql`EXISTS (SELECT 1 FROM webhook_bundles b WHERE b.app_id = ${appId})`

/** Removes bundles of deleted apps. */
export const removeOrphans = (sql: Sql) =>
  sql`DELETE FROM webhook_bundles b WHERE NOT EXISTS (SELECT 1 FROM apps a WHERE a.app_id = b.app_id)`
