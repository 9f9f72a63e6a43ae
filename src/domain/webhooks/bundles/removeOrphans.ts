// Removes bundles of deleted apps (docs/architecture/flow.md, "Bundles"): nothing else ends them.
import type { Sql } from "../../../platform/sql/Sql.ts"

export const removeOrphans = (sql: Sql) =>
  sql`DELETE FROM webhook_bundles b WHERE NOT EXISTS (SELECT 1 FROM apps a WHERE a.app_id = b.app_id)`
