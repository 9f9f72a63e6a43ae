// Filters workspaces that a request names: returns those whose name the caller may read (developer-api.md 2.2, 2.3), within the content
// that the credential reaches (1.7). Any other is treated like one that does not exist.
import { Effect, Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import type { CallerShape } from "./Caller.ts"
import { levelAt, WorkspaceRole, WorkspaceType } from "./levels.ts"

const Held = Schema.Struct({
  workspace_id: Schema.Int,
  type: WorkspaceType,
  member_role: Schema.NullOr(WorkspaceRole)
})

export const makeVisibleWorkspaces = (sql: Sql) =>
  Effect.fnUntraced(function* (caller: CallerShape, ids: ReadonlyArray<number>) {
    const rows = yield* rowsOf(Held)(sql`
      SELECT w.workspace_id, w.type, m.role AS member_role FROM workspaces w
      LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ${caller.userId}
      WHERE w.org_id = ${caller.orgId} AND w.workspace_id = ANY(${ids.map(String)}::text[]::bigint[])`)
    return rows.flatMap((row) => (levelAt(caller, row).visible ? [row.workspace_id] : []))
  })
