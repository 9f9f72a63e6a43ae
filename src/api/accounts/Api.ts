// Organization, users and workspaces: developer-api.md 2.1, 2.2.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Views from "../../domain/accounts/accountSchemas.ts"
import { WorkspaceType } from "../../domain/accounts/levels.ts"
import { DevApi } from "../door/DevApi.ts"
import { requires } from "../door/Requires.ts"
import { fails } from "../door/wire.ts"

const user = HttpApiEndpoint.get("me", "/v1/user", { success: Views.Me, error: fails("NotFound") }).pipe(
  requires({
    bearerOnly: true,
    profile: true
  })
)

const org = HttpApiEndpoint.get("organization", "/v1/org", {
  success: Views.Organization,
  error: fails("NotFound")
}).pipe(
  requires({
    scope: "organization:read"
  })
)

const users = HttpApiEndpoint.get("users", "/v1/org/user", {
  success: Schema.Struct({ users: Schema.Array(Views.OrgUser), total: Schema.Int })
}).pipe(requires({ scope: "organization:read" }))

const userCreate = HttpApiEndpoint.post("userCreate", "/v1/org/user", {
  payload: Schema.Struct({
    name: Views.Name,
    email: Views.Email,
    role: Schema.Literals(["admin", "member", "guest"]),
    skip_invitation: Schema.optionalKey(Schema.Boolean)
  }),
  success: Views.OrgUser,
  error: fails("Restricted", "Conflict")
}).pipe(requires({ scope: "organization.members:manage" }))

const userUpdate = HttpApiEndpoint.put("userUpdate", "/v1/org/user/:user_id", {
  params: { user_id: Views.Id },
  payload: Schema.Struct({
    role: Schema.optionalKey(Schema.Literals(["owner", "admin", "member", "guest"])),
    status: Schema.optionalKey(Schema.Literals(["active", "deactivated"])),
    name: Schema.optionalKey(Views.Name),
    phone: Schema.optionalKey(Schema.NullOr(Views.Line)),
    job_description: Schema.optionalKey(Schema.NullOr(Views.Line))
  }),
  success: Views.OrgUser,
  error: fails("ValidationError", "Restricted", "NotFound", "Conflict")
}).pipe(requires({ scope: "organization.members:manage" }))

const userRemove = HttpApiEndpoint.delete("userRemove", "/v1/org/user/:user_id", {
  params: { user_id: Views.Id },
  success: Views.OrgUser,
  error: fails("Restricted", "NotFound", "Conflict")
}).pipe(requires({ scope: "organization.members:manage" }))

export class AccountsApi extends HttpApiGroup.make("accounts")
  .add(user, org, users, userCreate, userUpdate, userRemove)
  .middleware(DevApi) {}

const workspaces = HttpApiEndpoint.get("list", "/v1/workspace/org", {
  success: Schema.Struct({ total: Schema.Int, workspaces: Schema.Array(Views.Workspace) })
}).pipe(requires({ scope: "workspaces:read", unguarded: "filtered" }))

const workspaceId = { workspace_id: Views.Id }
const visible = { kind: "workspace", level: 0 } as const
const admin = { kind: "workspace", level: 5 } as const

const workspace = HttpApiEndpoint.get("get", "/v1/workspace/:workspace_id", {
  params: workspaceId,
  success: Views.Workspace,
  error: fails("NotFound")
}).pipe(requires({ scope: "workspaces:read", guard: visible }))

const workspaceCreate = HttpApiEndpoint.post("create", "/v1/workspace", {
  payload: Schema.Struct({
    name: Views.Name,
    type: WorkspaceType,
    description: Schema.optionalKey(Schema.NullOr(Views.Text)),
    icon: Schema.optionalKey(Schema.NullOr(Views.Icon))
  }),
  success: Views.Workspace,
  error: fails("ValidationError", "Restricted")
}).pipe(requires({ scope: "workspaces:edit", unguarded: "new" }))

const workspaceUpdate = HttpApiEndpoint.put("update", "/v1/workspace/:workspace_id", {
  params: workspaceId,
  payload: Schema.Struct({
    name: Schema.optionalKey(Views.Name),
    type: Schema.optionalKey(WorkspaceType),
    description: Schema.optionalKey(Schema.NullOr(Views.Text)),
    icon: Schema.optionalKey(Schema.NullOr(Views.Icon))
  }),
  success: Views.Workspace,
  error: fails("ValidationError", "NotFound")
}).pipe(requires({ scope: "workspaces:edit", guard: admin }))

const workspaceRemove = HttpApiEndpoint.delete("remove", "/v1/workspace/:workspace_id", {
  params: workspaceId,
  success: Views.Workspace,
  error: fails("NotFound")
}).pipe(requires({ scope: "workspaces:edit", cost: 5, guard: admin }))

const members = HttpApiEndpoint.get("members", "/v1/workspace/:workspace_id/member", {
  params: workspaceId,
  success: Schema.Struct({ workspace_members: Schema.Array(Views.WorkspaceMember) })
}).pipe(requires({ scope: "workspaces:read", guard: visible }))

const memberPut = HttpApiEndpoint.post("memberPut", "/v1/workspace/:workspace_id/member", {
  params: workspaceId,
  payload: Schema.Struct({ user_id: Schema.Int, role: Schema.Literals(["admin", "member", "guest"]) }),
  success: Views.WorkspaceMember,
  error: fails("ValidationError", "Restricted", "Conflict")
}).pipe(requires({ scope: "workspaces.members:manage", guard: visible }))

const memberRemove = HttpApiEndpoint.delete("memberRemove", "/v1/workspace/:workspace_id/member/:user_id", {
  params: { workspace_id: Views.Id, user_id: Views.Id },
  success: Views.WorkspaceMember,
  error: fails("Restricted", "NotFound", "Conflict")
}).pipe(requires({ scope: "workspaces.members:manage", guard: visible }))

export class WorkspacesApi extends HttpApiGroup.make("workspaces")
  .add(workspaces, workspace, workspaceCreate, workspaceUpdate, workspaceRemove, members, memberPut, memberRemove)
  .middleware(DevApi) {}
