// Levels that several people all have on apps which a request names (developer-api.md 1.7, 2.2, 2.3): 0 if one of them does not see the
// app, as for an app that does not exist.
import { Effect, Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import type { CallerShape } from "./Caller.ts"
import { type HeldLevel, leastLevel, levelAt, WorkspaceRole, WorkspaceType } from "./levels.ts"

const HeldApp = Schema.Struct({
  app_id: Schema.Int,
  workspace_id: Schema.Int,
  type: WorkspaceType,
  member_role: Schema.NullOr(WorkspaceRole)
})

export const makeCommonAppLevels = (sql: Sql) => {
  const readLevels = Effect.fnUntraced(function* (caller: CallerShape, ids: ReadonlyArray<number>) {
    const rows = yield* rowsOf(HeldApp)(sql`
      SELECT a.app_id, a.workspace_id, w.type, m.role AS member_role FROM apps a JOIN workspaces w USING (workspace_id)
      LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ${caller.userId}
      WHERE w.org_id = ${caller.orgId} AND a.app_id = ANY(${ids.map(String)}::text[]::bigint[])`)
    return new Map(rows.map((row) => [row.app_id, levelAt(caller, row).level]))
  })

  return Effect.fnUntraced(function* (callers: ReadonlyArray<CallerShape>, appIds: Iterable<number>) {
    const ids = [...new Set(appIds)]
    const callerLevels = yield* Effect.forEach(callers, (caller) => readLevels(caller, ids))
    return (appId: number): HeldLevel["level"] => leastLevel(callerLevels.map((levels) => levels.get(appId) ?? 0)) ?? 5
  })
}
