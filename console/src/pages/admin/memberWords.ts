// Roles and states of people in words: what a role may do (developer-api.md 2.3), and what a change of it ends.
import type { AnswerOf } from "@millrace/client"
import { instantOf } from "../../ui/Time.tsx"
import type { Role } from "./places.ts"

export type Member = AnswerOf<"accounts.users">["users"][number]

export const roleWords: Record<Role, { readonly word: string; readonly about: string }> = {
  owner: { word: "Owner", about: "Everything, owners included. Only owners make owners." },
  admin: { word: "Admin", about: "Members, app policy, and every workspace that is not private." },
  member: { word: "Member", about: "The workspaces that they belong to, and those open to all." },
  guest: { word: "Guest", about: "Only what is shared with them. No apps of others, no tokens." }
}

export const statusTones = { active: "good", invited: "warn", deactivated: "bad" } as const
const invitationWords: Record<NonNullable<Member["invitation"]>["status"], string> = {
  queued: "Invitation on its way",
  sent: "Invited",
  failed: "Invitation not delivered",
  shown: "Invited",
  withdrawn: "Invitation withdrawn"
}
export const statusWordOf = ({ invitation, status }: Pick<Member, "invitation" | "status">): string => {
  if (status === "active") return "Active"
  if (status === "deactivated") return "Deactivated"
  if (invitation === null) return "Not signed in yet"
  const isOpen = invitation.status !== "withdrawn" && invitation.status !== "failed"
  return isOpen && instantOf(invitation.expires_on).getTime() <= Date.now()
    ? "Invitation expired"
    : invitationWords[invitation.status]
}

/** Roles that somebody may give to this person. */
export const rolesFor = (mine: Role): ReadonlyArray<Role> =>
  mine === "owner" ? ["owner", "admin", "member", "guest"] : ["admin", "member", "guest"]

/** An admin changes no owner, nobody shuts themselves out, and the last owner stays. */
export const changeable = (mine: Role, userId: number, member: Member, owners: number) =>
  (mine === "owner" || mine === "admin") &&
  (member.role !== "owner" || (mine === "owner" && owners > 1)) &&
  member.user_id !== userId
