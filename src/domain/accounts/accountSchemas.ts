// The shapes of organization, user and workspace on the wire (developer-api.md 2.1, 2.2).
import { Schema } from "effect"
import { OrgRole } from "./Caller.ts"
import { WorkspaceRole, WorkspaceType } from "./levels.ts"
import { Scope } from "./Scope.ts"

const text = Schema.NullOr(Schema.String)

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

/** Standing of an invitation (developer-api.md 11.5). */
export const Invitation = Schema.Struct({
  status: Schema.Literals(["queued", "sent", "failed", "shown", "withdrawn"]).annotate({
    description:
      "`queued`: its mail waits to go out · `sent`: mailed · `failed`: the mail server took it not · `shown`: the link was in the answer · `withdrawn`"
  }),
  invited_on: Schema.String,
  expires_on: Schema.String
}).annotate({ identifier: "Invitation" })
export type Invitation = typeof Invitation.Type

export const OrgUser = Schema.Struct({
  user_id: Schema.Int,
  name: Schema.String,
  org_id: Schema.Int,
  status: Schema.Literals(["active", "deactivated", "invited"]),
  email: Schema.String,
  phone: text,
  role: OrgRole,
  job_description: text,
  invitation: Schema.NullOr(Invitation).annotate({
    description: "Of who has not accepted it yet; null for others, and for those who were added without one"
  })
}).annotate({ identifier: "OrganizationUser" })

/** The answer to an invitation that was sent. */
export const InvitedUser = Schema.Struct({
  ...OrgUser.fields,
  invitation_url: Schema.optionalKey(
    Schema.String.annotate({
      description: "Only where the service has no mail server; told once. Whoever has it can accept the invitation"
    })
  )
}).annotate({ identifier: "InvitedUser" })

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
