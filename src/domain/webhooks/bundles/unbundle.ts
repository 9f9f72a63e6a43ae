// Turns bundles into rows of the log and the queue (docs/architecture/flow.md, "Bundles"), before somebody changes deliveries or adds some behind
// them. Deliveries in flight stay in flight under their fence.
import type { Sql } from "../../../platform/sql/Sql.ts"
import { KIND_NAME } from "../mailboxRows.ts"

/** All bundles of a hook, for whoever changes its deliveries; the caller holds the hook `FOR UPDATE`. */
export const unbundleHook = (sql: Sql, hookId: number) => sql`SELECT webhook_unbundle_hook(${hookId})`

/**
 * Bundles of the same records, before later deliveries are added. Locks the fence of their activation, so that nobody raises it meanwhile;
 * whoever raises it splits bundles too.
 */
export const unbundleRecords = (sql: Sql, apps: ReadonlyArray<string>, records: ReadonlyArray<number>) => sql`
  WITH mine AS MATERIALIZED (
    SELECT actor_key FROM actors WHERE actor_key IN (SELECT ${`${KIND_NAME}/`} || app_id FROM unnest(${apps}::bigint[]) AS a (app_id))
    ORDER BY actor_key FOR KEY SHARE
  )
  SELECT webhook_unbundle(ARRAY(SELECT event_id FROM webhook_bundles
    WHERE app_id = ANY(${apps}::bigint[]) AND record_id = ANY(${records.map(String)}::bigint[]))) FROM (SELECT count(*) FROM mine) m`
