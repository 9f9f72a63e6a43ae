// Combines the rights of several people (decisions A24): allows what all of them may do, each within their reach. A person who brings
// something into another author's run gains none of that author's rights.
import { Effect, Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { type Authority, AuthorityLost, type HeldRights, type Reach } from "./Authority.ts"
import type { CallerShape, ContentSelection, OrgRole } from "./Caller.ts"
import { leastLevel, WorkspaceRole } from "./levels.ts"

const roles: ReadonlyArray<OrgRole> = ["guest", "member", "admin", "owner"]
const lesser = (one: OrgRole, other: OrgRole): OrgRole => (roles.indexOf(one) < roles.indexOf(other) ? one : other)

const scopesOfBoth = (one: Reach["scopes"], other: Reach["scopes"]): Reach["scopes"] =>
  one === "all" ? other : other === "all" ? one : new Set([...one].filter((scope) => other.has(scope)))

/** Intersection of two selections. Workspaces and apps are judged by the standings; only `all` matters here. */
const selectionOfBoth = (one: ContentSelection, other: ContentSelection): ContentSelection =>
  one === "all"
    ? other
    : other === "all"
      ? one
      : {
          workspaceIds: one.workspaceIds.filter((id) => other.workspaceIds.includes(id)),
          appIds: one.appIds.filter((id) => other.appIds.includes(id))
        }

const Membership = Schema.Struct({ user_id: Schema.Int, workspace_id: Schema.Int, role: WorkspaceRole })

export const makeCombinedAuthority = Effect.map(Sql, (sql) => {
  /** The first of the callers, as one who may do what all of them may. */
  const combineCallers = Effect.fnUntraced(function* (first: CallerShape, others: ReadonlyArray<CallerShape>) {
    const everyCaller = [first, ...others]
    const rows = yield* rowsOf(Membership)(sql`
      SELECT user_id, workspace_id, role FROM workspace_members
      WHERE user_id = ANY(${everyCaller.map(({ userId }) => String(userId))}::text[]::bigint[])`)
    const memberships = (userId: number) =>
      new Map(rows.filter((row) => row.user_id === userId).map((row) => [row.workspace_id, row.role]))
    return {
      ...first,
      role: everyCaller.map(({ role }) => role).reduce(lesser),
      scopes: everyCaller.map(({ scopes }) => scopes).reduce(scopesOfBoth),
      selection: everyCaller.map(({ selection }) => selection).reduce(selectionOfBoth),
      standings: everyCaller.map(({ role, selection, userId }) => ({
        ...{ userId, role, selection },
        memberships: memberships(userId)
      }))
    } satisfies CallerShape as CallerShape
  }, orSqlDefect)

  /** @param first whose changes they are */
  return (first: Authority, others: ReadonlyArray<Authority>): Authority => {
    if (others.length === 0) return first
    const { orgId, reach, userId } = first
    const markAsAsked = <A>(of: Effect.Effect<A, AuthorityLost>) =>
      Effect.mapError(of, ({ userId: lost }) => new AuthorityLost({ userId: lost, asked: true }))
    return {
      ...{ userId, orgId },
      shared: true,
      reach: { ...reach, scopes: others.map((one) => one.reach.scopes).reduce(scopesOfBoth, reach.scopes) },
      present: Effect.gen(function* () {
        const firstCaller = yield* first.present
        return yield* combineCallers(firstCaller, yield* Effect.forEach(others, ({ present }) => markAsAsked(present)))
      }),
      on: Effect.fnUntraced(function* (appId) {
        const firstRights = yield* first.on(appId)
        const otherRights = yield* Effect.forEach(others, (one) => markAsAsked(one.on(appId)))
        const level = leastLevel([firstRights, ...otherRights].map((one) => one.level)) ?? 0
        const caller = yield* combineCallers(
          firstRights.caller,
          otherRights.map((one) => one.caller)
        )
        return { caller, level } satisfies HeldRights
      })
    }
  }
})
