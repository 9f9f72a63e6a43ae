// Members of workspaces (developer-api.md 2.2, 2.3): who may change them, and an admin that always stays.
import { Effect, Schema } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import type { AuditKind } from "../../platform/audit/auditKinds.ts"
import { Conflict, NotFound, Restricted, ValidationError } from "../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { transact } from "../../platform/sql/transact.ts"
import type { AccessGrant } from "./Access.ts"
import * as Views from "./accountSchemas.ts"
import { OrgRole } from "./Caller.ts"
import { keepAnAdmin } from "./lastAdmin.ts"
import { type WorkspaceRole, WorkspaceType } from "./levels.ts"
import { UserChangeSubscribers } from "./UserChangeSubscribers.ts"

const { WorkspaceMember: Member } = Views
export type Member = typeof Member.Type

const Place = Schema.Struct({ type: WorkspaceType, org_id: Schema.Int })

const Joiner = Schema.Struct({ role: OrgRole, status: Schema.String })

export const noWorkspace = (id: number) => new NotFound({ message: `No workspace with id ${id}.` })

export const makeWorkspaceMembers = Effect.gen(function* () {
  const sql = yield* Sql
  const changes = yield* UserChangeSubscribers
  const audit = yield* AuditLog

  /** Records a change of a member; `admin` is the user who made it, as for members of the organization. */
  const recordEvent = (
    event: Extract<AuditKind, `workspace.member_${string}`>,
    { caller, orgId, workspaceId }: AccessGrant,
    userId: number,
    details: Readonly<Record<string, unknown>>
  ) => audit.record({ event, orgId, userId, details: { workspace_id: workspaceId, ...details, admin: caller.userId } })

  const members = Effect.fn("Workspaces.members")(
    (grant: AccessGrant) =>
      rowsOf(Member)(sql`
      SELECT workspace_id, user_id, role FROM workspace_members WHERE workspace_id = ${grant.workspaceId} ORDER BY user_id`),
    orSqlDefect
  )

  const putMember = Effect.fn("Workspaces.putMember")(
    function* (grant: AccessGrant, userId: number, role: WorkspaceRole) {
      const { caller } = grant
      const workspace = yield* rowOf(Place)(sql`
        SELECT type, org_id FROM workspaces WHERE workspace_id = ${grant.workspaceId} FOR UPDATE`)
      const joinsItself =
        workspace?.type === "open" &&
        caller.role !== "guest" &&
        userId === caller.userId &&
        role === "member" &&
        grant.level < 3
      if (grant.level < 5 && !joinsItself)
        return yield* new Restricted({ message: "Only workspace admins change members." })
      const user = yield* rowOf(Joiner)(sql`
        SELECT role, status FROM users WHERE user_id = ${userId} AND org_id = ${grant.orgId} AND status <> 'removed'`)
      if (user === undefined) return yield* new ValidationError({ message: `user_id: no user with id ${userId}.` })
      if (user.role === "guest" && role !== "guest") {
        return yield* new ValidationError({
          message: "role: a guest of the organization can only be a guest here."
        })
      }
      const formerMember = yield* rowOf(Member)(sql`
        SELECT * FROM workspace_members WHERE workspace_id = ${grant.workspaceId} AND user_id = ${userId}`)
      if (formerMember?.role === "admin" && role !== "admin") yield* keepAnAdmin(sql, userId, grant.workspaceId)
      const row = yield* rowOf(Member)(sql`
        INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${grant.workspaceId}, ${userId}, ${role})
        ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = excluded.role RETURNING *`)
      if (formerMember === undefined) yield* recordEvent("workspace.member_added", grant, userId, { role })
      else if (formerMember.role !== role)
        yield* recordEvent("workspace.member_changed", grant, userId, { role, former_role: formerMember.role })
      if (formerMember?.role === "admin" && role !== "admin") {
        yield* changes.notify({ orgId: grant.orgId, userId, kind: "workspace", workspaceId: grant.workspaceId })
      }
      return row!
    },
    transact(sql),
    orSqlDefect
  )

  const removeMember = Effect.fn("Workspaces.removeMember")(
    function* (grant: AccessGrant, userId: number) {
      if (grant.level < 5 && userId !== grant.caller.userId) {
        return yield* new Restricted({ message: "Only workspace admins change members." })
      }
      yield* keepAnAdmin(sql, userId, grant.workspaceId)
      const row = yield* rowOf(Member)(sql`
        DELETE FROM workspace_members WHERE workspace_id = ${grant.workspaceId} AND user_id = ${userId} RETURNING *`)
      if (row === undefined) return yield* new NotFound({ message: `User ${userId} is no member of this workspace.` })
      yield* recordEvent("workspace.member_removed", grant, userId, { role: row.role })
      yield* changes.notify({ orgId: grant.orgId, userId, kind: "workspace", workspaceId: grant.workspaceId })
      return row
    },
    sql.withTransaction,
    orSqlDefect
  )

  const giveAdmin = Effect.fn("Workspaces.giveAdmin")(
    function* (workspaceId: number, userId: number) {
      const workspace = yield* rowOf(Place)(sql`
        SELECT type, org_id FROM workspaces WHERE workspace_id = ${workspaceId} FOR UPDATE`)
      if (workspace === undefined) return yield* noWorkspace(workspaceId)
      const { org_id } = workspace
      const user = yield* rowOf(Joiner)(sql`
        SELECT role, status FROM users WHERE user_id = ${userId} AND org_id = ${org_id} AND status <> 'removed'`)
      if (user === undefined)
        return yield* new NotFound({ message: `No user with id ${userId} in the workspace's organization.` })
      if (user.status !== "active" || user.role === "guest") {
        return yield* new Conflict({ message: "Only an active user who is no guest can be a workspace's admin." })
      }
      const row = yield* rowOf(Member)(sql`
        INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${userId}, 'admin')
        ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = excluded.role RETURNING *`)
      yield* audit.record({
        event: "workspace.admin_given",
        orgId: org_id,
        userId,
        details: { workspace_id: workspaceId, by: "operator" }
      })
      return { ...row!, org_id }
    },
    sql.withTransaction,
    orSqlDefect
  )

  return { members, putMember, removeMember, giveAdmin }
})
