// Kinds of workspaces and roles in them, in words (developer-api.md 2.2, 2.3), and who administers one.
import type { AnswerOf } from "@millrace/client"
import { administers, type Role } from "./places.ts"

export type Workspace = AnswerOf<"workspaces.list">["workspaces"][number]
export type WorkspaceMember = AnswerOf<"workspaces.members">["workspace_members"][number]

export const workspaceTypes: Record<Workspace["type"], { readonly word: string; readonly about: string }> = {
  default: { word: "For everybody", about: "Every member of the organization belongs to it; guests do not." },
  open: { word: "Open", about: "Every member of the organization may read its apps and join by themselves." },
  closed: { word: "Closed", about: "Its members alone see what is in it; its name is known to the organization." },
  private: { word: "Private", about: "Nobody but its members knows of it, owners of the organization included." }
}

export const workspaceRoles: Record<WorkspaceMember["role"], string> = {
  admin: "Admin: builds apps, automations and webhooks, chooses members",
  member: "Member: reads and edits records",
  guest: "Guest: sees what is shared with them"
}

export const administersWorkspace = (
  role: Role,
  userId: number,
  { type }: Workspace,
  members: ReadonlyArray<WorkspaceMember>
) =>
  role !== "guest" &&
  ((administers(role) && type !== "private") || members.some((one) => one.user_id === userId && one.role === "admin"))
