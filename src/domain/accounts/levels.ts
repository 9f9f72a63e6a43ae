// The permission matrix (developer-api.md 2.3) and the workspace types (2.2) as one pure table. Guests see no apps (section 10).
import { Schema } from "effect"
import type { CallerShape, ContentSelection, OrgRole } from "./Caller.ts"

export const WorkspaceType = Schema.Literals(["default", "open", "closed", "private"]).annotate({
  identifier: "WorkspaceType"
})
export type WorkspaceType = typeof WorkspaceType.Type
export const WorkspaceRole = Schema.Literals(["admin", "member", "guest"]).annotate({ identifier: "WorkspaceRole" })
export type WorkspaceRole = typeof WorkspaceRole.Type

export interface WorkspaceFacts {
  readonly type: WorkspaceType
  readonly memberRole: WorkspaceRole | null
}

export interface HeldLevel {
  /** The workspace's name may be read. */
  readonly visible: boolean
  /** Level on its apps and records. */
  readonly level: 0 | 1 | 3 | 5
}

export const levelOf = (role: OrgRole, { type, memberRole }: WorkspaceFacts): HeldLevel => {
  if (role === "guest") return { visible: memberRole !== null, level: 0 }
  if (memberRole === "admin") return { visible: true, level: 5 }
  if (type !== "private" && (role === "owner" || role === "admin")) return { visible: true, level: 5 }
  if (memberRole === "member" || type === "default") return { visible: true, level: 3 }
  if (type === "open") return { visible: true, level: 1 }
  return { visible: memberRole !== null || type === "closed", level: 0 }
}

/** True if a personal access token's selection includes the resource (1.7). `appId` is null for a workspace itself. */
export const selected = (selection: ContentSelection, workspaceId: number, appId: number | null): boolean =>
  selection === "all" ||
  selection.workspaceIds.includes(workspaceId) ||
  (appId !== null && selection.appIds.includes(appId))

export const leastLevel = <L extends number>(levels: ReadonlyArray<L>): L | undefined =>
  levels.toSorted((a, b) => a - b)[0]

/** A workspace, or an app in it, and the caller's own role there. */
interface HeldPlace {
  readonly workspace_id: number
  /** Null or absent for the workspace itself. */
  readonly app_id?: number | null
  readonly type: WorkspaceType
  readonly member_role: WorkspaceRole | null
}

/**
 * Level of a caller on a workspace or app, within the credential's selection; for several people who act together the least (decisions
 * A24).
 */
export const levelAt = (
  { role, selection, standings }: Pick<CallerShape, "role" | "selection" | "standings">,
  { app_id = null, member_role, type, workspace_id }: HeldPlace
): HeldLevel => {
  const levelFor = (
    who: { readonly role: OrgRole; readonly selection: ContentSelection },
    memberRole: WorkspaceRole | null
  ) =>
    selected(who.selection, workspace_id, app_id)
      ? levelOf(who.role, { type, memberRole })
      : ({ visible: false, level: 0 } as const)
  if (standings === undefined) return levelFor({ role, selection }, member_role)
  const standingLevels = standings.map((standing) => levelFor(standing, standing.memberships.get(workspace_id) ?? null))
  return {
    visible: standingLevels.every(({ visible }) => visible),
    level: leastLevel(standingLevels.map(({ level }) => level)) ?? 0
  }
}
