// Deletes jobs that ended 30 days ago (developer-api.md 7.11), as old as the runs that their reports name, and gives up the files and values
// that they left.
import { Clock, Effect } from "effect"
import { deleteInBatches } from "../../platform/sql/deleteInBatches.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { jobHolder, sourceHolder } from "./Job.ts"

const KEEP_MILLIS = 30 * 86_400_000
const BATCH = 1_000

export const pruneJobs = Effect.gen(function* () {
  const sql = yield* Sql
  const keptSince = new Date((yield* Clock.currentTimeMillis) - KEEP_MILLIS)
  // A job that has completed gives its source up itself.
  yield* sql`
    DELETE FROM file_holds h USING jobs j WHERE j.status IN ('cancelled', 'failed') AND h.holder = ${sourceHolder("")} || j.job_id`
  const deletedCount = yield* deleteInBatches(
    BATCH,
    sql`
      WITH deleted_jobs AS (
        DELETE FROM jobs WHERE job_id IN (
          SELECT job_id FROM jobs WHERE completed_on < ${keptSince} ORDER BY completed_on LIMIT ${BATCH}::int FOR UPDATE SKIP LOCKED)
        RETURNING job_id
      ), released_files AS (
        DELETE FROM file_holds h USING deleted_jobs j WHERE h.holder = ${jobHolder("")} || j.job_id
      )
      SELECT job_id FROM deleted_jobs`
  )
  // New values of conversions that were cancelled or have failed (11.4).
  const unusedCells = yield* deleteInBatches(
    BATCH,
    sql`
      DELETE FROM converted_cells WHERE ctid = ANY(ARRAY(
        SELECT c.ctid FROM converted_cells c LEFT JOIN jobs j USING (job_id)
        WHERE j.job_id IS NULL OR j.completed_on IS NOT NULL LIMIT ${BATCH}::int)) RETURNING 1`
  )
  return { jobs: deletedCount, converted_cells: unusedCells }
}).pipe(orSqlDefect)
