// The shapes of organization, user and workspace on the wire (developer-api.md 2.1, 2.2).
import { Schema } from "effect"
import { OrgRole } from "./Caller.ts"
import { WorkspaceRole, WorkspaceType } from "./levels.ts"
import { Scope } from "./Scope.ts"

/** A path id: a positive integer (developer-api.md 1.2). */
export const Id = Schema.Int.check(Schema.isGreaterThan(0))
export const Name = Schema.Trimmed.check(Schema.isBetweenLength(1, 500))
export const Line = Schema.String.check(Schema.isMaxLength(500))
export const Text = Schema.String.check(Schema.isMaxLength(25_000))
export const Email = Schema.String.check(Schema.isMaxLength(254), Schema.isPattern(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/))
const text = Schema.NullOr(Schema.String)

export const Icon = Schema.Union([
  Schema.Struct({ type: Schema.Literal("graphic"), id: Schema.String.check(Schema.isMaxLength(100)) }),
  Schema.Struct({ type: Schema.Literal("emoji"), emoji: Schema.String.check(Schema.isMaxLength(32)) })
]).annotate({ identifier: "Icon" })

export const Organization = Schema.Struct({
  org_id: Schema.Int,
  active_user_id: Schema.Int,
  name: Schema.String,
  slug: Schema.String,
  url: text,
  description: text,
  website: text,
  location: text,
  created_on: Schema.String,
  plan: Schema.String
}).annotate({ identifier: "Organization" })

export const OrgUser = Schema.Struct({
  user_id: Schema.Int,
  name: Schema.String,
  org_id: Schema.Int,
  status: Schema.Literals(["active", "deactivated", "invited"]),
  email: Schema.String,
  phone: text,
  role: OrgRole,
  job_description: text
}).annotate({ identifier: "OrganizationUser" })

/** A user embedded in other objects (developer-api.md 2.1). */
export const EmbeddedUser = Schema.Struct({
  user_id: Schema.Int,
  mail: Schema.Array(Schema.String),
  image: text,
  name: Schema.String,
  org_id: Schema.Int,
  type: Schema.Literal("user")
}).annotate({ identifier: "User" })

/** An automation as author (developer-api.md 2.1). */
const EmbeddedAutomation = Schema.Struct({
  automation_id: Schema.Int,
  name: Schema.String,
  type: Schema.Literal("automation")
}).annotate({ identifier: "AutomationAuthor" })

export const AuthorView = Schema.Union([EmbeddedUser, EmbeddedAutomation]).annotate({ identifier: "Author" })

export const Me = Schema.Struct({
  user_id: Schema.Int,
  name: Schema.String,
  email: Schema.String,
  phone: text,
  image: text,
  job_description: text,
  type: Schema.Literal("user"),
  org_id: Schema.Int,
  role: OrgRole,
  status: Schema.String,
  timezone: Schema.String,
  organization: Schema.Struct({ org_id: Schema.Int, name: Schema.String, slug: Schema.String }),
  credential: Schema.Struct({
    type: Schema.Literals(["oauth_access_token", "personal_access_token", "user_api_key", "session", "automation"]),
    client_id: text,
    expires_on: text,
    content_selection: Schema.Literals(["all", "selected"]),
    workspace_ids: Schema.Array(Schema.Int),
    app_ids: Schema.Array(Schema.Int)
  }),
  scopes: Schema.Array(Scope)
}).annotate({ identifier: "Me" })

export const Session = Schema.Struct({
  session_id: Schema.Int,
  created_on: Schema.String,
  last_seen_on: Schema.String.annotate({ description: "To ten minutes" }),
  agent: text.annotate({ description: "What the browser called itself when it was signed in" }),
  source_address: text,
  current: Schema.Boolean.annotate({ description: "The one that asks" })
}).annotate({ identifier: "Session" })
export const SessionList = Schema.Struct({ sessions: Schema.Array(Session), total: Schema.Int }).annotate({
  identifier: "SessionList"
})

export const Workspace = Schema.Struct({
  workspace_id: Schema.Int,
  name: Schema.String,
  slug: Schema.String,
  type: WorkspaceType,
  description: text,
  org_id: Schema.Int
}).annotate({ identifier: "Workspace" })

export const WorkspaceMember = Schema.Struct({
  workspace_id: Schema.Int,
  user_id: Schema.Int,
  role: WorkspaceRole
}).annotate({ identifier: "WorkspaceMember" })
