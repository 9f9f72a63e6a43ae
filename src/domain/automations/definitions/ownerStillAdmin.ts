// Checks that an automation's owner may still own it (developer-api.md 7.1, 7.2; decisions A20): an active workspace admin of its app. An
// automation whose owner loses that is paused, and cannot be started until a user saves it and becomes its owner.
import { Effect, Schema } from "effect"
import { OwnerLost } from "../../../platform/primitives/errors.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { OrgRole } from "../../accounts/Caller.ts"
import { levelOf, WorkspaceRole, WorkspaceType } from "../../accounts/levels.ts"
import type { AutomationRow } from "./StoredAutomation.ts"

export const Standing = Schema.Struct({
  org_role: OrgRole,
  user_status: Schema.String,
  workspace_type: WorkspaceType,
  member_role: Schema.NullOr(WorkspaceRole)
})
type Standing = typeof Standing.Type

/** Columns of users `u`, workspaces `w` and the membership `m` of one in the other. */
export const standingColumns =
  "u.role AS org_role, u.status AS user_status, w.type AS workspace_type, m.role AS member_role"

export const isAdmin = (row: Standing): boolean =>
  row.user_status === "active" &&
  levelOf(row.org_role, { type: row.workspace_type, memberRole: row.member_role }).level === 5

export const makeOwnerStillAdmin = (sql: Sql) =>
  /** Fails with `OwnerLost` if the owner is no longer such an admin, since every run would fail. */
  Effect.fnUntraced(function* ({ app_id, owner_id }: Pick<AutomationRow, "app_id" | "owner_id">) {
    const ownerRow = yield* rowOf(Standing)(sql`
      SELECT ${sql.literal(standingColumns)} FROM users u
        JOIN apps a ON a.app_id = ${app_id} AND a.org_id = u.org_id JOIN workspaces w USING (workspace_id)
        LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = u.user_id
      WHERE u.user_id = ${owner_id}`)
    if (ownerRow !== undefined && isAdmin(ownerRow)) return
    return yield* new OwnerLost({
      message:
        "The automation's owner is no longer an admin of its workspace, so its runs would fail: save it to take it over."
    })
  })
