// The level of a caller on each app of the organization (developer-api.md 1.7, 2.2, 2.3), as SQL: for statements that ask for rights and
// select by them at once. Its matrix is `levelOf`, written out as values.
import type { Statement } from "effect/sql"
import { idListOf } from "../../platform/sql/idList.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import type { CallerShape, ContentSelection, OrgRole } from "./Caller.ts"
import { levelOf, type WorkspaceRole, type WorkspaceType } from "./levels.ts"

const types: ReadonlyArray<WorkspaceType> = ["default", "open", "closed", "private"]
const roles: ReadonlyArray<WorkspaceRole | null> = [null, "admin", "member", "guest"]

/** Levels by the type of the workspace and the role in it. */
const matrixOf = (role: OrgRole) =>
  JSON.stringify(
    Object.fromEntries(
      types.map((type) => [
        type,
        Object.fromEntries(roles.map((memberRole) => [memberRole ?? "", levelOf(role, { type, memberRole }).level]))
      ])
    )
  )

/** Rows `app_id`, `name`, `item_name`, `level`, of the apps that the caller sees; `within` narrows them, over `apps a`. */
export const makeAppLevels = (sql: Sql) => {
  const idList = idListOf(sql)
  const level = (role: OrgRole, selection: ContentSelection, memberRole: Statement.Fragment) => {
    const memberLevel = sql`(${matrixOf(role)}::jsonb->w.type->>coalesce(${memberRole}, ''))::int`
    return selection === "all"
      ? memberLevel
      : sql`CASE WHEN a.workspace_id = ${idList(selection.workspaceIds)} OR a.app_id = ${idList(selection.appIds)} THEN ${memberLevel} ELSE 0 END`
  }
  return ({ orgId, role, selection, standings, userId }: CallerShape, within: Statement.Fragment) => {
    const levels =
      standings === undefined
        ? [level(role, selection, sql`m.role`)]
        : standings.map((one) => {
            const memberships = JSON.stringify(Object.fromEntries(one.memberships))
            return level(one.role, one.selection, sql`(${memberships}::jsonb->>a.workspace_id::text)`)
          })
    return sql`
      SELECT * FROM (
        SELECT a.app_id, a.name, a.item_name, least(${sql.csv(levels)}) AS level
        FROM apps a JOIN workspaces w USING (workspace_id)
        LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ${userId}
        WHERE w.org_id = ${orgId} AND ${within}
      ) AS held WHERE level > 0`
  }
}
