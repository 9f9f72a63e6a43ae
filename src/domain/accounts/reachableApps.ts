// Apps on which a user has at least a given level (developer-api.md 2.2, 2.3), within the content that their credential reaches (1.7).
import { Effect, Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import type { Level } from "./Access.ts"
import type { CallerShape } from "./Caller.ts"
import { levelAt, WorkspaceRole, WorkspaceType } from "./levels.ts"

const HeldApp = Schema.Struct({
  app_id: Schema.Int,
  workspace_id: Schema.Int,
  type: WorkspaceType,
  member_role: Schema.NullOr(WorkspaceRole)
})

export const makeReachableApps = (sql: Sql) =>
  Effect.fnUntraced(function* (caller: CallerShape, level: Level) {
    const rows = yield* rowsOf(HeldApp)(sql`
      SELECT a.app_id, a.workspace_id, w.type, m.role AS member_role FROM apps a JOIN workspaces w USING (workspace_id)
      LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ${caller.userId}
      WHERE w.org_id = ${caller.orgId}`)
    return rows.filter((row) => levelAt(caller, row).level >= level)
  })
