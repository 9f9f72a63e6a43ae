// Deletes changes that are too old for anybody to resume, and listeners that are long gone (migration 0040). Uses the database's clock,
// like the rows. A listener whose cursor is older than the deleted changes is told so on its return.
import { Effect } from "effect"
import { deleteInBatches } from "../../platform/sql/deleteInBatches.ts"
import { countOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { RESUMABLE_SECONDS } from "./changeRows.ts"

const BATCH = 5_000

export const forgetChanges = Effect.gen(function* () {
  const sql = yield* Sql
  const changes = yield* deleteInBatches(
    BATCH,
    countOf(sql`
      WITH gone AS (
        DELETE FROM changes WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM changes WHERE made_on < clock_timestamp() - make_interval(secs => ${RESUMABLE_SECONDS})
          ORDER BY made_in LIMIT ${BATCH})) RETURNING made_in
      ), told AS (
        UPDATE change_listeners l SET since = g.made_in
        FROM (SELECT made_in FROM gone ORDER BY made_in DESC LIMIT 1) g WHERE l.since < g.made_in
      )
      SELECT count(*)::int AS n FROM gone`)
  )
  yield* sql`DELETE FROM change_listeners WHERE until < clock_timestamp() - interval '1 hour'`
  return { changes }
}).pipe(orSqlDefect, Effect.withSpan("changes.forget"))
