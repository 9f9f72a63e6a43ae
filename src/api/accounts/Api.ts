// Organization, users and workspaces: developer-api.md 2.1, 2.2.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Views from "../../domain/accounts/accountSchemas.ts"
import { OrgRole } from "../../domain/accounts/Caller.ts"
import { Icon } from "../../domain/accounts/Icon.ts"
import { WorkspaceRole, WorkspaceType } from "../../domain/accounts/levels.ts"
import * as Common from "../../platform/primitives/commonSchemas.ts"
import { costs } from "../middleware/cost.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

const user = HttpApiEndpoint.get("me", "/v1/user", { success: Views.Me, error: fails("NotFound") }).pipe(
  requires({
    bearerOnly: true,
    profile: true
  }),
  withSummary(
    "Who am I",
    "The user that the credential acts for, with organization, role and, for an OAuth token, the scopes that it holds."
  )
)

const org = HttpApiEndpoint.get("organization", "/v1/org", {
  success: Views.Organization,
  error: fails("NotFound")
}).pipe(
  requires({
    scope: "organization:read"
  }),
  withSummary("Get the organization", "Name, slug and settings of the organization that the credential belongs to.")
)

const users = HttpApiEndpoint.get("users", "/v1/org/user", {
  success: Schema.Struct({ users: Schema.Array(Views.OrgUser), total: Schema.Int })
}).pipe(
  requires({ scope: "organization:read" }),
  withSummary("List users", "All users of the organization, deactivated ones included, with their roles.")
)

const userCreate = HttpApiEndpoint.post("userCreate", "/v1/org/user", {
  payload: Schema.Struct({
    name: Common.Name,
    email: Common.Email,
    role: Schema.Literals(["admin", "member", "guest"]),
    skip_invitation: Schema.optionalKey(
      Schema.Boolean.annotate({
        description: "No link: who has a sign-in is active at once, others with their first one"
      })
    ),
    workspaces: Schema.optionalKey(
      Schema.Array(Schema.Struct({ workspace_id: Schema.Int, role: WorkspaceRole }))
        .check(Schema.isMaxLength(100))
        .annotate({ description: "To become a member of; needs `workspaces.members:manage` and full rights on each" })
    )
  }),
  success: Views.InvitedUser,
  error: fails("ValidationError", "Restricted", "Conflict", "TooManyRequests")
}).pipe(
  requires({ scope: "organization.members:manage" }),
  withSummary(
    "Invite a user",
    "Mails a link of seven days. The person accepts it signed in, or by setting a first password. Without a mail server the answer carries it."
  )
)

const userInvite = HttpApiEndpoint.post("userInvite", "/v1/org/user/:user_id/invitation", {
  params: { user_id: Common.Id },
  success: Views.InvitedUser,
  error: fails("Restricted", "NotFound", "Conflict", "TooManyRequests")
}).pipe(
  requires({ scope: "organization.members:manage" }),
  withSummary(
    "Send another invitation",
    "Mails another link of seven days to who has not joined yet; the former works no more."
  )
)

const userInvitationWithdraw = HttpApiEndpoint.delete("userInvitationWithdraw", "/v1/org/user/:user_id/invitation", {
  params: { user_id: Common.Id },
  success: Views.OrgUser,
  error: fails("Restricted", "NotFound", "Conflict")
}).pipe(
  requires({ scope: "organization.members:manage" }),
  withSummary(
    "Withdraw an invitation",
    "Its link works no more. The user stays invited, until they are removed or invited anew."
  )
)

const userUpdate = HttpApiEndpoint.put("userUpdate", "/v1/org/user/:user_id", {
  params: { user_id: Common.Id },
  payload: Schema.Struct({
    role: Schema.optionalKey(OrgRole),
    status: Schema.optionalKey(Schema.Literals(["active", "deactivated"])),
    name: Schema.optionalKey(Common.Name),
    phone: Schema.optionalKey(Schema.NullOr(Common.Line)),
    job_description: Schema.optionalKey(Schema.NullOr(Common.Line))
  }),
  success: Views.OrgUser,
  error: fails("ValidationError", "Restricted", "NotFound", "Conflict")
}).pipe(
  requires({ scope: "organization.members:manage" }),
  withSummary(
    "Change a user",
    "Changes role, status or profile. The organization keeps at least one active owner; only owners make owners."
  )
)

const userRemove = HttpApiEndpoint.delete("userRemove", "/v1/org/user/:user_id", {
  params: { user_id: Common.Id },
  success: Views.OrgUser,
  error: fails("Restricted", "NotFound", "Conflict")
}).pipe(
  requires({ scope: "organization.members:manage" }),
  withSummary(
    "Remove a user",
    "Takes a user out of the organization; their keys, tokens and connections end at once, what they wrote keeps their name. The person stays signed in."
  )
)

const sessions = HttpApiEndpoint.get("sessions", "/v1/user/session", {
  success: Views.SessionList,
  error: fails("Restricted")
}).pipe(
  requires({}),
  withSummary(
    "List own sessions",
    "Where the person is signed in, what was used last first. For pages of a session alone: others are told `restricted_resource`."
  )
)

const sessionEnd = HttpApiEndpoint.delete("sessionEnd", "/v1/user/session/:session_id", {
  params: { session_id: Common.Id },
  success: Views.Session,
  error: fails("Restricted", "NotFound")
}).pipe(
  requires({}),
  withSummary("End a session", "Signs the person out there; tokens of that session stop with it, connected apps go on.")
)

const sessionEndOthers = HttpApiEndpoint.delete("sessionEndOthers", "/v1/user/session", {
  success: Views.SessionList,
  error: fails("Restricted")
}).pipe(
  requires({}),
  withSummary("End all other sessions", "Signs the person out everywhere else, and answers where that was.")
)

export class AccountsApi extends HttpApiGroup.make("accounts")
  .add(user, org, users, userCreate, userUpdate, userRemove, userInvite, userInvitationWithdraw)
  .add(sessions, sessionEnd, sessionEndOthers)
  .middleware(DevApi)
  .annotateMerge(
    groupSummary("Organization and users", "The organization that the credential belongs to, and its people.")
  ) {}

const workspaces = HttpApiEndpoint.get("list", "/v1/workspace/org", {
  success: Schema.Struct({ total: Schema.Int, workspaces: Schema.Array(Views.Workspace) })
}).pipe(
  requires({ scope: "workspaces:read", unguarded: "filtered" }),
  withSummary("List workspaces", "The workspaces that the caller may see, in order.")
)

const workspaceId = { workspace_id: Common.Id }
const visible = { kind: "workspace", level: 0 } as const
const reader = { kind: "workspace", level: 1 } as const
const admin = { kind: "workspace", level: 5 } as const

const workspace = HttpApiEndpoint.get("get", "/v1/workspace/:workspace_id", {
  params: workspaceId,
  success: Views.Workspace,
  error: fails("NotFound")
}).pipe(
  requires({ scope: "workspaces:read", guard: visible }),
  withSummary("Get a workspace", "Name, slug, type and description of one workspace.")
)

const workspaceCreate = HttpApiEndpoint.post("create", "/v1/workspace", {
  payload: Schema.Struct({
    name: Common.Name,
    type: WorkspaceType,
    description: Schema.optionalKey(Schema.NullOr(Common.Text)),
    icon: Schema.optionalKey(Schema.NullOr(Icon))
  }),
  success: Views.Workspace,
  error: fails("ValidationError", "Restricted")
}).pipe(
  requires({ scope: "workspaces:edit", unguarded: "new" }),
  withSummary("Create a workspace", "The caller becomes its admin.")
)

const workspaceUpdate = HttpApiEndpoint.put("update", "/v1/workspace/:workspace_id", {
  params: workspaceId,
  payload: Schema.Struct({
    name: Schema.optionalKey(Common.Name),
    type: Schema.optionalKey(WorkspaceType),
    description: Schema.optionalKey(Schema.NullOr(Common.Text)),
    icon: Schema.optionalKey(Schema.NullOr(Icon))
  }),
  success: Views.Workspace,
  error: fails("ValidationError", "NotFound")
}).pipe(
  requires({ scope: "workspaces:edit", guard: admin }),
  withSummary("Change a workspace", "Changes what is sent; the rest stays as it is.")
)

const workspaceRemove = HttpApiEndpoint.delete("remove", "/v1/workspace/:workspace_id", {
  params: workspaceId,
  success: Views.Workspace,
  error: fails("NotFound")
}).pipe(
  requires({ scope: "workspaces:edit", cost: costs.deletions, guard: admin }),
  withSummary(
    "Delete a workspace",
    "Deletes it with all its apps, records, hooks and automations. This cannot be undone."
  )
)

const members = HttpApiEndpoint.get("members", "/v1/workspace/:workspace_id/member", {
  params: workspaceId,
  success: Schema.Struct({ workspace_members: Schema.Array(Views.WorkspaceMember) })
}).pipe(
  requires({ scope: "workspaces:read", guard: reader }),
  withSummary(
    "List members",
    "Who belongs to the workspace, with the role of each. Whoever may read its name alone does not see them."
  )
)

const memberPut = HttpApiEndpoint.post("memberPut", "/v1/workspace/:workspace_id/member", {
  params: workspaceId,
  payload: Schema.Struct({ user_id: Schema.Int, role: WorkspaceRole }),
  success: Views.WorkspaceMember,
  error: fails("ValidationError", "Restricted", "Conflict")
}).pipe(
  requires({ scope: "workspaces.members:manage", guard: visible }),
  withSummary(
    "Add a member or change a role",
    "Adds a user of the organization to the workspace, or gives a member another role. A private workspace keeps at least one admin."
  )
)

const memberRemove = HttpApiEndpoint.delete("memberRemove", "/v1/workspace/:workspace_id/member/:user_id", {
  params: { workspace_id: Common.Id, user_id: Common.Id },
  success: Views.WorkspaceMember,
  error: fails("Restricted", "NotFound", "Conflict")
}).pipe(
  requires({ scope: "workspaces.members:manage", guard: visible }),
  withSummary("Remove a member", "Takes a user out of the workspace. A private workspace keeps at least one admin.")
)

export class WorkspacesApi extends HttpApiGroup.make("workspaces")
  .add(workspaces, workspace, workspaceCreate, workspaceUpdate, workspaceRemove, members, memberPut, memberRemove)
  .middleware(DevApi)
  .annotateMerge(groupSummary("Workspaces", "What apps lie in, with the people who may see them.")) {}
