// Deletes jobs that ended 30 days ago (developer-api.md 7.11), as old as the runs that their reports name.
import { Clock, Effect } from "effect"
import { drain } from "../../ground/sql/drain.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"

const KEEP_MILLIS = 30 * 86_400_000
const BATCH = 1_000

export const pruneJobs = Effect.gen(function* () {
  const sql = yield* Sql
  const keptSince = new Date((yield* Clock.currentTimeMillis) - KEEP_MILLIS)
  const deletedCount = yield* drain(
    BATCH,
    sql`
      DELETE FROM jobs WHERE job_id IN (
        SELECT job_id FROM jobs WHERE completed_on < ${keptSince} ORDER BY completed_on LIMIT ${BATCH}::int FOR UPDATE SKIP LOCKED)
      RETURNING 1`
  )
  return { jobs: deletedCount }
}).pipe(orSqlDefect)
