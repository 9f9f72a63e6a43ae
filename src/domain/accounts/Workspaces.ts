// Workspaces and their members (developer-api.md 2.2, 2.3).
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import type { AuditKind } from "../../platform/audit/auditKinds.ts"
import { type Conflict, type NotFound, Restricted, ValidationError } from "../../platform/primitives/errors.ts"
import { countOf, rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { slugOf } from "../../platform/text/slug.ts"
import type { AccessGrant } from "./Access.ts"
import * as Views from "./accountSchemas.ts"
import type { CallerShape } from "./Caller.ts"
import { levelAt, WorkspaceRole, type WorkspaceType } from "./levels.ts"
import { WorkspaceRemovalSubscribers } from "./WorkspaceRemovalSubscribers.ts"
import { type Member, makeWorkspaceMembers, noWorkspace } from "./workspaceMembers.ts"

const { Workspace } = Views
type Workspace = typeof Workspace.Type

const workspacesPerOrganization = 500

export interface WorkspacePatch {
  readonly name?: string
  readonly type?: WorkspaceType
  readonly description?: string | null
  readonly icon?: unknown
}

/** Hides the description from callers without a level, who may read the name (2.2, 2.3). */
const seenAt = (level: number, workspace: Workspace): Workspace =>
  level > 0 ? workspace : { ...workspace, description: null }

const HeldWorkspace = Schema.Struct({ ...Workspace.fields, member_role: Schema.NullOr(WorkspaceRole) })

const EditedWorkspace = Schema.Struct({ ...Workspace.fields, icon: Schema.Unknown })

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
    /** Makes a user an admin for the operator, of a private workspace too. */
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
      const members = yield* makeWorkspaceMembers
      const removals = yield* WorkspaceRemovalSubscribers
      const audit = yield* AuditLog
      const recordEvent = (
        event: Extract<AuditKind, `workspace.${string}`>,
        { name, org_id, workspace_id }: Workspace,
        more: Readonly<Record<string, unknown>> = {}
      ) => audit.record({ event, orgId: org_id, details: { workspace_id, name, ...more } })
      const columns = sql.literal("w.workspace_id, w.name, w.slug, w.type, w.description, w.org_id")

      const list = Effect.fn("Workspaces.list")(function* (caller: CallerShape) {
        const rows = yield* rowsOf(HeldWorkspace)(sql`
            SELECT ${columns}, m.role AS member_role FROM workspaces w
            LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ${caller.userId}
            WHERE w.org_id = ${caller.orgId} ORDER BY w.workspace_id`)
        return rows.flatMap(({ member_role, ...workspace }) => {
          const { level, visible } = levelAt(caller, { ...workspace, member_role })
          return visible ? [seenAt(level, workspace)] : []
        })
      }, orSqlDefect)

      const get = Effect.fn("Workspaces.get")(function* (grant: AccessGrant) {
        const [row] = yield* rowsOf(Workspace)(
          sql`SELECT ${columns} FROM workspaces w WHERE w.workspace_id = ${grant.workspaceId}`
        )
        return row === undefined ? yield* noWorkspace(grant.id) : seenAt(grant.level, row)
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
          const nowDate = DateTime.toDate(yield* DateTime.now)
          const row = yield* rowOf(Workspace)(sql`
            INSERT INTO workspaces AS w (org_id, name, slug, type, description, icon, created_on)
            VALUES (${caller.orgId}, ${input.name}, ${slugOf(input.name)}, ${input.type}, ${input.description ?? null},
                    ${input.icon == null ? null : JSON.stringify(input.icon)}::jsonb, ${nowDate})
            RETURNING ${columns}`)
          yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${row!.workspace_id}, ${caller.userId}, 'admin')`
          yield* recordEvent("workspace.created", row!, { type: row!.type })
          return row!
        },
        sql.withTransaction,
        orSqlDefect
      ) as Workspaces["Service"]["create"]

      const update = Effect.fn("Workspaces.update")(
        function* (grant: AccessGrant, patch: WorkspacePatch) {
          const formerRow = yield* rowOf(EditedWorkspace)(sql`
            SELECT ${columns}, w.icon FROM workspaces w WHERE w.workspace_id = ${grant.workspaceId} FOR UPDATE`)
          if (formerRow === undefined) return yield* noWorkspace(grant.id)
          if (patch.type !== undefined && patch.type !== formerRow.type) {
            return yield* new ValidationError({ message: `type: it is ${formerRow.type} and cannot be changed.` })
          }
          const name = patch.name ?? formerRow.name
          const icon = patch.icon === undefined ? formerRow.icon : patch.icon
          const row = yield* rowOf(Workspace)(sql`
            UPDATE workspaces w SET name = ${name}, slug = ${slugOf(name)},
              description = ${patch.description === undefined ? formerRow.description : patch.description},
              icon = ${icon == null ? null : JSON.stringify(icon)}::jsonb
            WHERE w.workspace_id = ${grant.workspaceId} RETURNING ${columns}`)
          yield* recordEvent("workspace.changed", row!, { changed: Object.keys(patch) })
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
          if (row === undefined) return yield* noWorkspace(grant.id)
          yield* recordEvent("workspace.deleted", row)
          return row
        },
        sql.withTransaction,
        orSqlDefect
      )

      return Workspaces.of({ list, get, create, update, remove, ...members })
    })
  )
}
