// Turns the bundles of a hook into rows of the log and the queue (docs/architecture/flow.md, "Bundles"), before somebody reads either of them or
// changes waiting deliveries. Deliveries in flight stay in flight.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../platform/sql/Sql.ts"

/** A table `(hook_id, count, oldest)`: how many deliveries are in bundles, and since when, of the hooks `h` that are meant. */
export const bundledOf = (sql: Sql, hooks: Statement.Fragment) => sql`
  SELECT u.hook_id, count(*)::int AS count, min(b.created_on) AS oldest FROM webhook_bundles b CROSS JOIN unnest(b.hooks) AS u(hook_id)
  WHERE b.app_id IN (SELECT h.app_id FROM hooks h WHERE ${hooks}) GROUP BY u.hook_id`

export const unbundleHook = (sql: Sql, hookId: number) => sql`SELECT webhook_unbundle_hook(${hookId})`
