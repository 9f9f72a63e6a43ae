// Workspaces and their members (developer-api.md 2.2, 2.3).
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { Conflict, NotFound, Restricted, ValidationError } from "../../ground/primitives/errors.ts"
import { countOf, rowOf, rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import type { AccessGrant } from "./Access.ts"
import * as Views from "./accountSchemas.ts"
import { type CallerShape, OrgRole } from "./Caller.ts"
import { keepAnAdmin } from "./lastAdmin.ts"
import { levelOf, selected, WorkspaceRole, WorkspaceType } from "./levels.ts"
import { slugOf } from "./slug.ts"
import { UserChanges } from "./UserChanges.ts"
import { WorkspaceRemovals } from "./WorkspaceRemovals.ts"

const { Workspace, WorkspaceMember: Member } = Views
type Workspace = typeof Workspace.Type
type Member = typeof Member.Type

export const workspacesPerOrganization = 500

export interface WorkspacePatch {
  readonly name?: string
  readonly type?: WorkspaceType
  readonly description?: string | null
  readonly icon?: unknown
}

const HeldWorkspace = Schema.Struct({ ...Workspace.fields, member_role: Schema.NullOr(WorkspaceRole) })

const EditedWorkspace = Schema.Struct({ ...Workspace.fields, icon: Schema.Unknown })

const Place = Schema.Struct({ type: WorkspaceType, org_id: Schema.Int })

const Joiner = Schema.Struct({ role: OrgRole, status: Schema.String })

export class Workspaces extends Context.Service<
  Workspaces,
  {
    readonly list: (caller: CallerShape) => Effect.Effect<ReadonlyArray<Workspace>>
    readonly get: (grant: AccessGrant) => Effect.Effect<Workspace, NotFound>
    readonly create: (
      caller: CallerShape,
      input: {
        readonly name: string
        readonly type: WorkspaceType
        readonly description?: string | null
        readonly icon?: unknown
      }
    ) => Effect.Effect<Workspace, Restricted | ValidationError>
    readonly update: (grant: AccessGrant, patch: WorkspacePatch) => Effect.Effect<Workspace, NotFound | ValidationError>
    readonly remove: (grant: AccessGrant) => Effect.Effect<Workspace, NotFound>
    readonly members: (grant: AccessGrant) => Effect.Effect<ReadonlyArray<Member>>
    readonly putMember: (
      grant: AccessGrant,
      userId: number,
      role: WorkspaceRole
    ) => Effect.Effect<Member, Restricted | ValidationError | Conflict>
    readonly removeMember: (
      grant: AccessGrant,
      userId: number
    ) => Effect.Effect<Member, Restricted | NotFound | Conflict>
    /** The operator's: whoever is asked for becomes admin, of a private workspace too. */
    readonly giveAdmin: (
      workspaceId: number,
      userId: number
    ) => Effect.Effect<Member & { readonly org_id: number }, NotFound | Conflict>
  }
>()("millrace/accounts/Workspaces") {
  static readonly layer = Layer.effect(
    Workspaces,
    Effect.gen(function* () {
      const sql = yield* Sql
      const changes = yield* UserChanges
      const removals = yield* WorkspaceRemovals
      const columns = sql.literal("w.workspace_id, w.name, w.slug, w.type, w.description, w.org_id")
      const gone = (id: number) => new NotFound({ message: `No workspace with id ${id}.` })

      const list = Effect.fn("Workspaces.list")(function* (caller: CallerShape) {
        const rows = yield* rowsOf(HeldWorkspace)(sql`
            SELECT ${columns}, m.role AS member_role FROM workspaces w
            LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ${caller.userId}
            WHERE w.org_id = ${caller.orgId} ORDER BY w.workspace_id`)
        return rows
          .filter(
            (w) =>
              selected(caller.selection, w.workspace_id, null) &&
              levelOf(caller.role, { type: w.type, memberRole: w.member_role }).visible
          )
          .map(({ member_role: _, ...workspace }) => workspace)
      }, orSqlDefect)

      const get = Effect.fn("Workspaces.get")(function* (grant: AccessGrant) {
        const [row] = yield* rowsOf(Workspace)(
          sql`SELECT ${columns} FROM workspaces w WHERE w.workspace_id = ${grant.workspaceId}`
        )
        return row ?? (yield* gone(grant.id))
      }, orSqlDefect)

      const create = Effect.fn("Workspaces.create")(
        function* (caller: CallerShape, input) {
          if (caller.role === "guest") return yield* new Restricted({ message: "Guests cannot create workspaces." })
          if (caller.selection !== "all") {
            return yield* new Restricted({ message: "Creating a workspace needs a token for all content." })
          }
          yield* sql`SELECT 1 FROM organizations WHERE org_id = ${caller.orgId} FOR UPDATE`
          const count = yield* countOf(sql`SELECT count(*)::int AS n FROM workspaces WHERE org_id = ${caller.orgId}`)
          if (count >= workspacesPerOrganization) {
            return yield* new ValidationError({
              message: `An organization has at most ${workspacesPerOrganization} workspaces.`
            })
          }
          const now = DateTime.toDate(yield* DateTime.now)
          const row = yield* rowOf(Workspace)(sql`
            INSERT INTO workspaces AS w (org_id, name, slug, type, description, icon, created_on)
            VALUES (${caller.orgId}, ${input.name}, ${slugOf(input.name)}, ${input.type}, ${input.description ?? null},
                    ${input.icon == null ? null : JSON.stringify(input.icon)}::jsonb, ${now})
            RETURNING ${columns}`)
          yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${row!.workspace_id}, ${caller.userId}, 'admin')`
          return row!
        },
        sql.withTransaction,
        orSqlDefect
      ) as Workspaces["Service"]["create"]

      const update = Effect.fn("Workspaces.update")(
        function* (grant: AccessGrant, patch: WorkspacePatch) {
          const now = yield* rowOf(EditedWorkspace)(sql`
            SELECT ${columns}, w.icon FROM workspaces w WHERE w.workspace_id = ${grant.workspaceId} FOR UPDATE`)
          if (now === undefined) return yield* gone(grant.id)
          if (patch.type !== undefined && patch.type !== now.type) {
            return yield* new ValidationError({ message: `type: it is ${now.type} and cannot be changed.` })
          }
          const name = patch.name ?? now.name
          const icon = patch.icon === undefined ? now.icon : patch.icon
          const row = yield* rowOf(Workspace)(sql`
            UPDATE workspaces w SET name = ${name}, slug = ${slugOf(name)},
              description = ${patch.description === undefined ? now.description : patch.description},
              icon = ${icon == null ? null : JSON.stringify(icon)}::jsonb
            WHERE w.workspace_id = ${grant.workspaceId} RETURNING ${columns}`)
          return row!
        },
        sql.withTransaction,
        orSqlDefect
      )

      const remove = Effect.fn("Workspaces.remove")(
        function* (grant: AccessGrant) {
          yield* removals.notify(grant.workspaceId)
          const [row] = yield* rowsOf(Workspace)(
            sql`DELETE FROM workspaces w WHERE w.workspace_id = ${grant.workspaceId} RETURNING ${columns}`
          )
          return row ?? (yield* gone(grant.id))
        },
        sql.withTransaction,
        orSqlDefect
      )

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
          const before = yield* rowOf(Member)(sql`
            SELECT * FROM workspace_members WHERE workspace_id = ${grant.workspaceId} AND user_id = ${userId}`)
          if (before?.role === "admin" && role !== "admin") yield* keepAnAdmin(sql, userId, grant.workspaceId)
          const row = yield* rowOf(Member)(sql`
            INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${grant.workspaceId}, ${userId}, ${role})
            ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = excluded.role RETURNING *`)
          if (before?.role === "admin" && role !== "admin") {
            yield* changes.notify({ orgId: grant.orgId, userId, kind: "workspace", workspaceId: grant.workspaceId })
          }
          return row!
        },
        sql.withTransaction,
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
          if (row === undefined)
            return yield* new NotFound({ message: `User ${userId} is no member of this workspace.` })
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
          if (workspace === undefined) return yield* gone(workspaceId)
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
          return { ...row!, org_id }
        },
        sql.withTransaction,
        orSqlDefect
      )

      return Workspaces.of({ list, get, create, update, remove, members, putMember, removeMember, giveAdmin })
    })
  )
}
