// The pages of the administration: which there are, what each is for, and whose role opens it (developer-api.md 2.3).
import type { AnswerOf } from "@millrace/client"

export type Role = AnswerOf<"accounts.me">["role"]

const members = (role: Role) => role !== "guest"
export const administers = (role: Role) => role === "owner" || role === "admin"

export const adminPlaces = [
  {
    to: "/admin/members",
    text: "Members",
    about: "Who belongs to the organization, with which role, and who has not signed in yet.",
    opens: members,
    whose: "Members of the organization see each other; guests see what is shared with them."
  },
  {
    to: "/admin/workspaces",
    text: "Workspaces",
    about: "What apps lie in, and who may see them.",
    opens: members,
    whose: "Members of the organization see its workspaces; guests see what is shared with them."
  },
  {
    to: "/admin/secrets",
    text: "Secrets",
    about: "Values that automations use by name and nobody reads back.",
    opens: members,
    whose: "Members of the organization see its secrets by name; guests see none."
  },
  {
    to: "/admin/mail",
    text: "Mail accounts",
    about: "By which servers mail of automations goes out, and as whom.",
    opens: administers,
    whose: "Owners and admins of the organization keep its mail accounts."
  },
  {
    to: "/admin/providers",
    text: "Providers",
    about: "Where automations and webhooks get the tokens that they sign in with elsewhere.",
    opens: administers,
    whose: "Owners and admins of the organization keep its authentication providers."
  },
  {
    to: "/admin/apps",
    text: "Connected apps",
    about: "Which apps act for people here, which may connect, and the end of it.",
    opens: administers,
    whose: "Owners and admins of the organization see its connected apps. Yours are in your account."
  },
  {
    to: "/admin/sign-in",
    text: "Sign-in policy",
    about: "Whether everybody needs a second step, who has one, and the reset for who has lost theirs.",
    opens: administers,
    whose: "Owners and admins of the organization set its sign-in policy. Your second step is in your account."
  },
  {
    to: "/admin/usage",
    text: "Usage",
    about: "What the organization uses of its shares, and how much there is of everything.",
    opens: administers,
    whose: "Owners and admins of the organization see what it uses."
  },
  {
    to: "/admin/audit",
    text: "Audit",
    about: "Who did what: sign-ins, connections, keys, and what admins changed.",
    opens: administers,
    whose: "Owners and admins of the organization read its audit log."
  }
] as const

export type AdminPlace = (typeof adminPlaces)[number]
