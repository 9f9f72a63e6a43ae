// Writes a change of an app's views for those who listen to the app (decisions, "Events"). It names no view: a private one exists for its
// maker alone, and listeners read the list again.
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { AccessGrant } from "../../accounts/Access.ts"

export const makeAnnounceViews = (sql: Sql) => (grant: Pick<AccessGrant, "appId" | "orgId">) =>
  sql`
    INSERT INTO changes (org_id, app_id, kind, detail)
    SELECT l.org_id, ${grant.appId}::bigint, 'app', '{"type": "view.update"}' FROM change_listeners l
    WHERE l.org_id = ${grant.orgId}::bigint AND l.until > clock_timestamp()`
