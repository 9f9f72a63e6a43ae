// The complete list of scopes (developer-api.md 2.4), in its order. Editing never includes reading.
import { Schema } from "effect"

export const Scope = Schema.Literals([
  "organization:read",
  "organization.members:manage",
  "workspaces:read",
  "workspaces:edit",
  "workspaces.members:manage",
  "apps:read",
  "apps:edit",
  "records:read",
  "records:edit",
  "records.comments:read",
  "records.comments:edit",
  "records:share",
  "automations:read",
  "automations:edit",
  "automations:run",
  "webhooks:manage",
  "email:send"
])
export type Scope = typeof Scope.Type

export const allScopes: ReadonlyArray<Scope> = Scope.literals

/** What an authorization request without `scope` asks for (service.md 4.1). */
export const defaultScopes: ReadonlyArray<Scope> = ["apps:read", "records:read"]
