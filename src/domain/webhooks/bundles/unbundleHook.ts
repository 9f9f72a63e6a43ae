// Whoever reads the log or the queue of a hook, or changes what waits in it, has its deliveries there first: those that an activation holds in bundles
// (docs/architecture.md, "Bundles") become rows of both, in the air as they are.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../ground/sql/Sql.ts"

/** A table `(hook_id, count, oldest)`: how many deliveries are in bundles, and since when, of the hooks `h` that are meant. */
export const bundledOf = (sql: Sql, hooks: Statement.Fragment) => sql`
  SELECT u.hook_id, count(*)::int AS count, min(b.created_on) AS oldest FROM webhook_bundles b CROSS JOIN unnest(b.hooks) AS u(hook_id)
  WHERE b.app_id IN (SELECT h.app_id FROM hooks h WHERE ${hooks}) GROUP BY u.hook_id`

export const unbundleHook = (sql: Sql, hookId: number) => sql`SELECT webhook_unbundle_hook(${hookId})`
