// Roles and states of people in words: what a role may do (developer-api.md 2.3), and what a change of it ends.
import type { AnswerOf } from "@millrace/client"
import { memberWords as texts } from "../../texts/admin/membersWords.ts"
import { instantOf } from "../../ui/Time.tsx"
import type { Role } from "./places.ts"

export type Member = AnswerOf<"accounts.users">["users"][number]

export const roleWords: Record<Role, { readonly word: string; readonly about: string }> = texts.roleWords

export const statusTones = { active: "good", invited: "warn", deactivated: "bad" } as const
const invitationWords: Record<NonNullable<Member["invitation"]>["status"], string> = texts.invitationWords
export const statusWordOf = ({ invitation, status }: Pick<Member, "invitation" | "status">): string => {
  if (status === "active") return texts.active
  if (status === "deactivated") return texts.deactivated
  if (invitation === null) return texts.notSignedInYet
  const isOpen = invitation.status !== "withdrawn" && invitation.status !== "failed"
  return isOpen && instantOf(invitation.expires_on).getTime() <= Date.now()
    ? texts.invitationExpired
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
