// The pages of the administration: which there are, what each is for, and whose role opens it (developer-api.md 2.3).
import type { AnswerOf } from "@millrace/client"
import { places as texts } from "../../texts/admin/adminWords.ts"

export type Role = AnswerOf<"accounts.me">["role"]

const members = (role: Role) => role !== "guest"
export const administers = (role: Role) => role === "owner" || role === "admin"

export const adminPlaces = [
  {
    to: "/admin/members",
    text: texts.members,
    about: texts.whoBelongsToTheOrganization,
    opens: members,
    whose: texts.membersOfTheOrganizationSee
  },
  {
    to: "/admin/workspaces",
    text: texts.workspaces,
    about: texts.whatAppsLie,
    opens: members,
    whose: texts.membersOfTheOrganizationSeeItsWorkspaces
  },
  {
    to: "/admin/secrets",
    text: texts.secrets,
    about: texts.valuesThatAutomationsUse,
    opens: members,
    whose: texts.membersOfTheOrganizationSeeItsSecrets
  },
  {
    to: "/admin/mail",
    text: texts.mailAccounts,
    about: texts.byWhichServersMail,
    opens: administers,
    whose: texts.ownersAndAdmins
  },
  {
    to: "/admin/providers",
    text: texts.providers,
    about: texts.whereAutomationsAndWebhooksGet,
    opens: administers,
    whose: texts.ownersAndAdminsOfTheOrganization
  },
  {
    to: "/admin/apps",
    text: texts.connectedApps,
    about: texts.whichAppsActForPeople,
    opens: administers,
    whose: texts.ownersAndAdminsOfTheOrganizationSee
  },
  {
    to: "/admin/sign-in",
    text: texts.signInPolicy,
    about: texts.whetherEverybodyNeedsASecond,
    opens: administers,
    whose: texts.ownersAndAdminsOfTheOrganizationSet
  },
  {
    to: "/admin/usage",
    text: texts.usage,
    about: texts.whatTheOrganizationUses,
    opens: administers,
    whose: texts.ownersAndAdminsSeeUsage
  },
  {
    to: "/admin/audit",
    text: texts.audit,
    about: texts.whoDidWhatSign,
    opens: administers,
    whose: texts.ownersAndAdminsOfTheOrganizationRead
  }
] as const

export type AdminPlace = (typeof adminPlaces)[number]
