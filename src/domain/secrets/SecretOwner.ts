// Owner of a secret, and the rights to see and manage an organization's secrets (developer-api.md 2.3, 7.13; decisions A20). These belong
// to no workspace, so a credential limited to chosen content does not reach them.
import { Effect } from "effect"
import { NotFound, Restricted } from "../../platform/primitives/errors.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import type { CallerShape } from "../accounts/Caller.ts"

/** Workspace or app that owns a secret, at most one of them; without either the organization owns it. */
export interface SecretOwner {
  readonly orgId: number
  readonly workspaceId: number | null
  readonly appId: number | null
}

/** Owner for the app or workspace of a grant. */
export const ownerOf = ({ appId, kind, orgId, workspaceId }: AccessGrant): SecretOwner =>
  kind === "workspace" ? { orgId, workspaceId, appId: null } : { orgId, workspaceId: null, appId }

export const seesOrganization = ({ role, selection }: Pick<CallerShape, "role" | "selection">): boolean =>
  role !== "guest" && selection === "all"

export const managesOrganization = ({ role }: Pick<CallerShape, "role">): boolean =>
  role === "owner" || role === "admin"

export const mayManageOrganization = (caller: CallerShape) =>
  managesOrganization(caller)
    ? Effect.void
    : Effect.fail(new Restricted({ message: "Only owners and organization admins manage its secrets." }))

/** The caller's organization, to see its secrets. */
export const organizationOf = (caller: CallerShape) =>
  seesOrganization(caller)
    ? Effect.succeed<SecretOwner>({ orgId: caller.orgId, workspaceId: null, appId: null })
    : Effect.fail(new NotFound({ message: "The organization's secrets are out of this credential's reach." }))
