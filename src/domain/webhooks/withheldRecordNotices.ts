// Records since when the bodies of a hook go without the record (decisions W17): admins are notified once, until the person who saved it
// may read again.
import { Clock, Effect } from "effect"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { AboutHook, aboutOf, HookNotices } from "./HookNotices.ts"

export const makeWithheldRecordNotices = Effect.gen(function* () {
  const sql = yield* Sql
  const notices = yield* HookNotices

  /** @param reason undefined: it reads again */
  return Effect.fnUntraced(
    function* (hookId: number, reason: string | undefined) {
      if (reason === undefined) {
        yield* sql`UPDATE hooks SET record_withheld_on = NULL WHERE hook_id = ${hookId}`
        return
      }
      const nowDate = new Date(yield* Clock.currentTimeMillis)
      const about = yield* rowOf(AboutHook)(sql`
        UPDATE hooks SET record_withheld_on = ${nowDate} WHERE hook_id = ${hookId} AND record_withheld_on IS NULL
        RETURNING hook_id, app_id, org_id, host, type, num_failed_executions`)
      if (about !== undefined) yield* notices.tell({ ...aboutOf(about), notice: { kind: "record_withheld", reason } })
    },
    (self) => sql.withTransaction(self),
    orSqlDefect
  )
})
