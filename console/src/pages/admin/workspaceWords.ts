// Kinds of workspaces and roles in them, in words (developer-api.md 2.2, 2.3), and who administers one.
import type { AnswerOf } from "@millrace/client"
import { workspaceWords as texts } from "../../texts/admin/workspacesWords.ts"
import { administers, type Role } from "./places.ts"

export type Workspace = AnswerOf<"workspaces.list">["workspaces"][number]
export type WorkspaceMember = AnswerOf<"workspaces.members">["workspace_members"][number]

export const workspaceTypes: Record<Workspace["type"], { readonly word: string; readonly about: string }> =
  texts.workspaceTypes

export const workspaceRoles: Record<WorkspaceMember["role"], string> = texts.workspaceRoles

export const administersWorkspace = (
  role: Role,
  userId: number,
  { type }: Workspace,
  members: ReadonlyArray<WorkspaceMember>
) =>
  role !== "guest" &&
  ((administers(role) && type !== "private") || members.some((one) => one.user_id === userId && one.role === "admin"))
