// Scope parameters (RFC 6749 3.3; service.md 4.1) and what each scope means in plain words on the consent screen.
import { allScopes, type Scope } from "../accounts/Scope.ts"

const known = new Set<string>(allScopes)

/** The distinct scopes of a parameter, known or not, in the order sent. */
export const splitScopes = (text: string): ReadonlyArray<string> => [
  ...new Set(text.split(" ").filter((s) => s !== ""))
]

export const isScope = (text: string): text is Scope => known.has(text)

export type Reach = "read" | "change" | "manage"

/** What a scope lets an app do, for the groups of the consent screen (decisions O24). */
export const reachOf: Record<Scope, Reach> = {
  "organization:read": "read",
  "organization.members:manage": "manage",
  "workspaces:read": "read",
  "workspaces:edit": "change",
  "workspaces.members:manage": "manage",
  "apps:read": "read",
  "apps:edit": "change",
  "records:read": "read",
  "records:edit": "change",
  "records.comments:read": "read",
  "records.comments:edit": "change",
  "records:share": "manage",
  "automations:read": "read",
  "automations:edit": "change",
  "automations:run": "change",
  "webhooks:manage": "manage",
  "email:send": "change"
}

/** Scopes that give others access, send things out, go on by themselves, or remove more than single records. */
export const strongScopes: ReadonlySet<Scope> = new Set([
  "organization.members:manage",
  "workspaces:edit",
  "workspaces.members:manage",
  "apps:edit",
  "records:share",
  "automations:edit",
  "webhooks:manage",
  "email:send"
])

export const scopeLines: Record<Scope, string> = {
  "organization:read": "See your organization and its people",
  "organization.members:manage": "Invite, change and remove people of your organization",
  "workspaces:read": "See your workspaces",
  "workspaces:edit": "Create, change and delete workspaces",
  "workspaces.members:manage": "Add and remove workspace members",
  "apps:read": "See your apps, their fields and views",
  "apps:edit": "Create, change and delete apps, fields and views",
  "records:read": "Read your records and files",
  "records:edit": "Create, change and delete records and upload files",
  "records.comments:read": "Read comments on records",
  "records.comments:edit": "Write, change and delete comments on records",
  "records:share": "Share records with other people",
  "automations:read": "See automations and their runs",
  "automations:edit": "Create, change, switch on and delete automations",
  "automations:run": "Start, cancel and retry automations",
  "webhooks:manage": "Manage webhooks, which send changes to other services",
  "email:send": "Send email in your name"
}
