// Keeps an admin in every private workspace (developer-api.md 2.2, 2.3): nobody else in the organization may enter it, so nobody could give
// it another one. The workspace's row is the lock.
import { Effect, Schema } from "effect"
import { Conflict } from "../../platform/primitives/errors.ts"
import { countOf, rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"

const WorkspaceId = Schema.Struct({ workspace_id: Schema.Int })

/** Fails if the user is the only active admin of a private workspace: of the given one, or of any. Call it in a transaction. */
export const keepAnAdmin = Effect.fnUntraced(function* (sql: Sql, userId: number, workspaceId: number | null = null) {
  const rows = yield* rowsOf(WorkspaceId)(sql`
    SELECT w.workspace_id FROM workspaces w
      JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ${userId} AND m.role = 'admin'
    WHERE w.type = 'private' AND (${workspaceId}::bigint IS NULL OR w.workspace_id = ${workspaceId})
    ORDER BY w.workspace_id FOR UPDATE OF w`)
  for (const { workspace_id } of rows) {
    const otherAdminCount = yield* countOf(sql`
      SELECT count(*)::int AS n FROM workspace_members m JOIN users u USING (user_id)
      WHERE m.workspace_id = ${workspace_id} AND m.role = 'admin' AND m.user_id <> ${userId}
        AND u.status = 'active' AND u.role <> 'guest'`)
    if (otherAdminCount === 0) {
      return yield* new Conflict({
        message: `The private workspace ${workspace_id} would lose its last admin; give it another one first.`
      })
    }
  }
})
