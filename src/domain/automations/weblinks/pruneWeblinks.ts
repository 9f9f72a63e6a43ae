// Retention of weblinks (developer-api.md 7.10). Expired and used-up links are kept for a while; those of automations and records that were
// deleted for good are deleted at once. A deleted link shows the same page as an expired one.
import { Clock, Effect } from "effect"
import type { Statement } from "effect/sql"
import { AppConfig } from "../../../platform/config/Config.ts"
import { deleteInBatches } from "../../../platform/sql/deleteInBatches.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"

const BATCH = 5_000

export const pruneWeblinks = Effect.gen(function* () {
  const sql = yield* Sql
  const { weblinksKeepDays } = yield* AppConfig
  const keptSince = new Date((yield* Clock.currentTimeMillis) - weblinksKeepDays * 86_400_000)
  const go = (over: Statement.Fragment) =>
    deleteInBatches(
      BATCH,
      sql`
        DELETE FROM weblinks WHERE weblink_id IN (
          SELECT w.weblink_id FROM weblinks w WHERE ${over} LIMIT ${BATCH}::int FOR UPDATE OF w SKIP LOCKED) RETURNING 1`
    )

  const expiredCount = yield* go(sql`w.expires_on < ${keptSince}`)
  const spent = yield* go(sql`w.once AND w.clicks > 0 AND w.window_on < ${keptSince}`)
  // A deleted automation's row remains, with `deleted_on`. A trashed record may be restored, so its links stay until its row is deleted.
  const orphanCount = yield* go(sql`
    NOT EXISTS (SELECT 1 FROM automations x WHERE x.automation_id = w.automation_id AND x.deleted_on IS NULL)
      OR NOT EXISTS (SELECT 1 FROM records r WHERE r.record_id = w.record_id)`)
  return { weblinks: expiredCount + spent + orphanCount }
}).pipe(orSqlDefect)
