// Decides if a user may connect, or stay connected to, an app. Only this file states that rule (service.md 4.1; decisions O15, O19).
import { Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { OrgRole } from "../accounts/Caller.ts"

export const AppAccess = Schema.Literals(["everyone", "admins", "blocked"])
export type AppAccess = typeof AppAccess.Type
export const PolicyMode = Schema.Literals(["all", "approved"])
export type PolicyMode = typeof PolicyMode.Type

export const UserStanding = Schema.Struct({
  status: Schema.Literals(["active", "deactivated", "invited", "removed"]),
  role: OrgRole,
  mode: PolicyMode,
  /** The organization's entry for the app; null without one. */
  access: Schema.NullOr(AppAccess),
  user_blocked: Schema.Boolean
})
export type UserStanding = typeof UserStanding.Type

const StandingOfUser = Schema.Struct({ ...UserStanding.fields, user_id: Schema.Int })

export type KeptOut =
  | "inactive"
  | "guest"
  | "app_blocked"
  | "user_blocked"
  | "admins_only"
  | "not_approved"
  | "no_second_step"

/** Texts for the consent screen: the reason that the user may not connect the app. */
export const keptOutWords: Record<KeptOut, string> = {
  inactive: "Your user in this organization is not active.",
  guest: "Guests of an organization cannot connect apps.",
  app_blocked: "This organization has blocked the app.",
  user_blocked: "An admin of this organization has blocked the app for you.",
  admins_only: "Only admins and owners of this organization may connect the app.",
  not_approved: "This organization allows only apps that its admins have approved.",
  no_second_step: "This organization asks for a second step at sign-in. Set one up under “Two-step sign-in” first."
}

/** Reason that ends an existing connection; the approved-only mode does not (it holds for new approvals). */
export const shutsOut = (s: UserStanding): KeptOut | undefined => {
  if (s.status !== "active") return "inactive"
  if (s.role === "guest") return "guest"
  if (s.access === "blocked") return "app_blocked"
  if (s.user_blocked) return "user_blocked"
  if (s.access === "admins" && s.role !== "admin" && s.role !== "owner") return "admins_only"
  return undefined
}

/** Reason that refuses a new approval. */
export const keepsOut = (s: UserStanding): KeptOut | undefined =>
  shutsOut(s) ?? (s.mode === "approved" && s.access === null ? "not_approved" : undefined)

/** The standing of some users towards one client, by user id. */
export const standingsOf = (sql: Sql, userIds: ReadonlyArray<number>, clientId: string) =>
  rowsOf(StandingOfUser)(sql`
  SELECT u.user_id, u.status, u.role, COALESCE(m.mode, 'all') AS mode, p.access, b.user_id IS NOT NULL AS user_blocked
  FROM users u
  LEFT JOIN org_app_modes m ON m.org_id = u.org_id
  LEFT JOIN org_app_policies p ON p.org_id = u.org_id AND p.client_id = ${clientId}
  LEFT JOIN org_app_user_blocks b ON b.user_id = u.user_id AND b.client_id = ${clientId}
  WHERE u.user_id = ANY(${userIds.map(String)}::bigint[])`)
