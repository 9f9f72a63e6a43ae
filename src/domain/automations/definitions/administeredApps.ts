// Apps whose automations a caller may see (developer-api.md 7): those of which they are workspace admin and that their credential selects.
import { Effect, Schema } from "effect"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { levelAt, WorkspaceRole, WorkspaceType } from "../../accounts/levels.ts"

export type ListedWithin = { readonly kind: "app" | "workspace"; readonly id: number } | { readonly kind: "org" }

const HeldApp = Schema.Struct({
  app_id: Schema.Int,
  workspace_id: Schema.Int,
  type: WorkspaceType,
  member_role: Schema.NullOr(WorkspaceRole)
})

/** Ids of these apps, as texts for a parameter. */
export const administeredApps = Effect.fnUntraced(function* (sql: Sql, caller: CallerShape, within: ListedWithin) {
  const rows = yield* rowsOf(HeldApp)(sql`
    SELECT a.app_id, a.workspace_id, w.type, m.role AS member_role FROM apps a JOIN workspaces w USING (workspace_id)
    LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ${caller.userId}
    WHERE w.org_id = ${caller.orgId} AND ${
      within.kind === "org"
        ? sql.literal("true")
        : within.kind === "app"
          ? sql`a.app_id = ${within.id}`
          : sql`a.workspace_id = ${within.id}`
    }`)
  return rows.filter((row) => levelAt(caller, row).level === 5).map((row) => String(row.app_id))
})
