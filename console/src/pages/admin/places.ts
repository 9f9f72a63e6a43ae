// The pages of the administration: which there are, what each is for, and whose role opens it (developer-api.md 2.3).
import type { AnswerOf } from "@millrace/client"

export type Role = AnswerOf<"accounts.me">["role"]

const everybody = () => true
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
    to: "/admin/sessions",
    text: "Your sessions",
    about: "Where you are signed in, and the way out of each.",
    opens: everybody,
    whose: ""
  }
] as const

export type AdminPlace = (typeof adminPlaces)[number]
