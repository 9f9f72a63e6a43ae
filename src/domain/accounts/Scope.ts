// Complete list of scopes (developer-api.md 2.4, 7.13), in its order: for each the resources that its endpoints may name in their path, and
// its text on the consent screen (decisions O24). Editing never includes reading.
import { Schema } from "effect"

/** Kind of access that a scope gives an app. */
export type ScopeVerb = "read" | "change" | "manage"

interface ScopeRow {
  /** Kinds of resources in the paths of its endpoints, each with a guard (src/api/middleware/Requires.ts); none: the organization's. */
  readonly names: ReadonlyArray<string>
  readonly verb: ScopeVerb
  /** Set if the scope gives others access, sends data out, runs unattended, or removes more than single records. */
  readonly strong?: true
  readonly line: string
}

// biome-ignore format: one scope a line
export const scopes = {
  "organization:read": { names: [], verb: "read", line: "See your organization and its people" },
  "organization.members:manage": { names: [], verb: "manage", strong: true, line: "Invite, change and remove people of your organization" },
  "workspaces:read": { names: ["workspace"], verb: "read", line: "See your workspaces" },
  "workspaces:edit": { names: ["workspace"], verb: "change", strong: true, line: "Create, change and delete workspaces" },
  "workspaces.members:manage": { names: ["workspace"], verb: "manage", strong: true, line: "Add and remove workspace members" },
  "apps:read": { names: ["workspace", "app", "view", "field"], verb: "read", line: "See your apps, their fields and views" },
  "apps:edit": { names: ["app", "view", "field"], verb: "change", strong: true, line: "Create, change and delete apps, fields and views" },
  "records:read": { names: ["app", "view", "field", "record"], verb: "read", line: "Read your records and files" },
  "records:edit": { names: ["app", "record"], verb: "change", line: "Create, change and delete records and upload files" },
  "records.comments:read": { names: ["record", "comment", "reply"], verb: "read", line: "Read comments on records" },
  "records.comments:edit": { names: ["record", "comment", "reply"], verb: "change", line: "Write, change and delete comments on records" },
  "records:share": { names: ["record"], verb: "manage", strong: true, line: "Share records with other people" },
  "automations:read": { names: ["automation"], verb: "read", line: "See automations and their runs" },
  "automations:edit": { names: ["app", "automation"], verb: "change", strong: true, line: "Create, change, switch on and delete automations" },
  "automations:run": { names: ["automation"], verb: "change", line: "Start, cancel and retry automations" },
  "webhooks:manage": { names: ["app", "hook"], verb: "manage", strong: true, line: "Manage webhooks, which send changes to other services" },
  "email:send": { names: [], verb: "change", strong: true, line: "Send email in your name" },
  "secrets:read": { names: ["workspace", "app"], verb: "read", strong: true, line: "See the names of secrets, and let automations use their values" },
  "secrets:manage": { names: ["workspace", "app"], verb: "manage", strong: true, line: "Write, replace and delete secrets" }
} as const satisfies Record<string, ScopeRow>

export type Scope = keyof typeof scopes
export const allScopes = Object.keys(scopes) as [Scope, ...Array<Scope>]
export const Scope = Schema.Literals(allScopes)

/** Scopes of an authorization request without `scope` (service.md 4.1). */
export const defaultScopes: ReadonlyArray<Scope> = ["apps:read", "records:read"]
