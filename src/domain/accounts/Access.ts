// Checks what a caller may do to a resource (developer-api.md 1.7 content selection, 2.2 workspace types, 2.3 matrix). An access value
// proves a check: services of other modules take one instead of checking again.
import { Context, Effect, Layer } from "effect"
import { NotFound, RecordNotFound, Restricted } from "../../platform/primitives/errors.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { type CallerShape, soleUserOf } from "./Caller.ts"
import { levelAt } from "./levels.ts"
import { conditionOf, isId, type Resource, ResourceFacts, type ResourceKind, resources } from "./resourceFacts.ts"

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
  /** Version of the app's definition when this was decided; 0 for a workspace. */
  readonly appVersion: number
  readonly level: Level
}

/** The grant that the endpoint's guard gave; handlers read it here. */
export class Granted extends Context.Service<Granted, AccessGrant>()("millrace/accounts/Granted") {}

const missing = ({ id, kind }: Resource) =>
  kind === "record"
    ? new RecordNotFound({ recordId: id })
    : new NotFound({ message: `No ${resources[kind].name} with id ${id}.` })

/**
 * Selection, then visibility (404), then permission (403): the order of developer-api.md 1.5.
 * @param facts as they stand now; null where the caller's organization has no such resource
 * @param hide answer 404 where the level is missing
 */
export const decide = (
  caller: CallerShape,
  { id, kind }: Resource,
  facts: ResourceFacts | null,
  level: Level,
  hide = false
): Effect.Effect<AccessGrant, NotFound | RecordNotFound | Restricted> => {
  if (facts === null) return Effect.fail(missing({ id, kind }))
  const heldLevel = levelAt(caller, facts)
  if (!heldLevel.visible || (kind !== "workspace" && heldLevel.level < 1)) return Effect.fail(missing({ id, kind }))
  if (heldLevel.level < level) {
    if (hide) return Effect.fail(missing({ id, kind }))
    return Effect.fail(
      new Restricted({ message: `This needs more rights on the ${resources[kind].name} than you have.` })
    )
  }
  const { app_id, app_version, workspace_id } = facts
  return Effect.succeed({
    caller,
    kind,
    id,
    orgId: caller.orgId,
    workspaceId: workspace_id,
    appId: app_id ?? 0,
    appVersion: app_version ?? 0,
    level: heldLevel.level
  })
}

export class Access extends Context.Service<
  Access,
  {
    /**
     * Reads the facts and decides.
     * @param hide answer 404 if the level is missing
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
        if (!isId(id)) return yield* decide(caller, { kind, id }, null, level, hide)
        const { from, id: column } = resources[kind]
        const rows = yield* rowsOf(ResourceFacts)(sql`
            SELECT w.workspace_id, a.app_id, a.version AS app_version, w.type, m.role AS member_role
            FROM (SELECT ${caller.userId}::bigint AS user_id, ${soleUserOf(caller)}::bigint AS sole_user_id) u CROSS JOIN ${sql.literal(from)}
            LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = u.user_id
            WHERE ${sql.literal(column)} = ${id} AND w.org_id = ${caller.orgId}${sql.literal(conditionOf(kind, "u.sole_user_id"))}`)
        return yield* decide(caller, { kind, id }, rows[0] ?? null, level, hide)
      }, orSqlDefect)
      return Access.of({ check })
    })
  )
}
