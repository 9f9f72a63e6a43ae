// Who may do what to which resource (developer-api.md 1.7 content selection, 2.2 workspace types, 2.3 matrix).
// An access value is the proof of a check: services of the rooms take one instead of checking again.
import { Context, Effect, Layer, Schema } from "effect"
import { NotFound, RecordNotFound, Restricted } from "../../ground/primitives/errors.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import type { CallerShape } from "./Caller.ts"
import { levelOf, selected, type WorkspaceFacts } from "./levels.ts"

/** Each kind with the query that leads from its id to app and workspace. */
const resources = {
  workspace: { name: "workspace", from: "workspaces w LEFT JOIN apps a ON false", id: "w.workspace_id", live: "" },
  app: { name: "app", from: "apps a JOIN workspaces w USING (workspace_id)", id: "a.app_id", live: "" },
  field: {
    name: "field",
    from: "fields x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.field_id",
    live: ""
  },
  record: {
    name: "record",
    from: "records x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.record_id",
    live: ""
  },
  view: {
    name: "view",
    from: "views x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.view_id",
    live: ""
  },
  comment: {
    name: "comment",
    from: "comments x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.comment_id",
    live: ""
  },
  reply: {
    name: "reply",
    from: "replies x JOIN comments c USING (comment_id) JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.reply_id",
    live: ""
  },
  hook: {
    name: "hook",
    from: "hooks x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.hook_id",
    live: ""
  },
  automation: {
    name: "automation",
    from: "automations x JOIN apps a USING (app_id) JOIN workspaces w USING (workspace_id)",
    id: "x.automation_id",
    live: " AND x.deleted_on IS NULL"
  }
} as const

export type ResourceKind = keyof typeof resources
export type Level = 0 | 1 | 2 | 3 | 4 | 5

/** Proof that `caller` reaches a resource with at least the level that was asked for. */
export interface AccessGrant {
  readonly caller: CallerShape
  readonly kind: ResourceKind
  readonly id: number
  readonly orgId: number
  readonly workspaceId: number
  /** 0 for a workspace. */
  readonly appId: number
  readonly level: Level
}

/** The grant that the endpoint's guard gave; handlers read it here. */
export class Granted extends Context.Service<Granted, AccessGrant>()("millrace/accounts/Granted") {}

const Facts = Schema.Struct({
  workspace_id: Schema.Int,
  app_id: Schema.NullOr(Schema.Int),
  type: Schema.Literals(["default", "open", "closed", "private"]),
  member_role: Schema.NullOr(Schema.Literals(["admin", "member", "guest"]))
})

export class Access extends Context.Service<
  Access,
  {
    /**
     * Selection, then visibility (404), then permission (403): the order of developer-api.md 1.5.
     * @param hide answer 404 where the level is missing
     */
    readonly check: (
      caller: CallerShape,
      kind: ResourceKind,
      id: number,
      level: Level,
      hide?: boolean
    ) => Effect.Effect<AccessGrant, NotFound | RecordNotFound | Restricted>
  }
>()("millrace/accounts/Access") {
  static readonly layer = Layer.effect(
    Access,
    Effect.gen(function* () {
      const sql = yield* Sql
      const check = Effect.fnUntraced(function* (
        caller: CallerShape,
        kind: ResourceKind,
        id: number,
        level: Level,
        hide = false
      ) {
        const resource = resources[kind]
        const missing =
          kind === "record"
            ? new RecordNotFound({ recordId: id })
            : new NotFound({ message: `No ${resource.name} with id ${id}.` })
        if (!Number.isSafeInteger(id) || id < 1) return yield* missing
        const rows = yield* sql`
            SELECT w.workspace_id, a.app_id, w.type, m.role AS member_role
            FROM ${sql.literal(resource.from)} LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ${caller.userId}
            WHERE ${sql.literal(resource.id)} = ${id} AND w.org_id = ${caller.orgId}${sql.literal(resource.live)}`
        const row = rows[0] as typeof Facts.Type | undefined
        if (row === undefined) return yield* missing
        const facts: WorkspaceFacts = { type: row.type, memberRole: row.member_role }
        if (!selected(caller.selection, row.workspace_id, row.app_id)) return yield* missing
        const held = levelOf(caller.role, facts)
        if (!held.visible || (kind !== "workspace" && held.level < 1)) return yield* missing
        if (held.level < level) {
          return yield* hide
            ? missing
            : new Restricted({ message: `This needs more rights on the ${resource.name} than you have.` })
        }
        return {
          caller,
          kind,
          id,
          orgId: caller.orgId,
          workspaceId: row.workspace_id,
          appId: row.app_id ?? 0,
          level: held.level
        } satisfies AccessGrant
      }, orSqlDefect)
      return Access.of({ check })
    })
  )
}
