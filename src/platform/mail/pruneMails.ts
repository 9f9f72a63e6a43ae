// Deletes old mails (developer-api.md 6; decisions P3). A row counts for a day and keeps a message from being sent twice for as long as its
// step may be retried; afterwards it is there for operators. Each attempt restarts the retention: a row that is still `sending` then has no
// sender any more.
import { Clock, Effect } from "effect"
import { AppConfig } from "../config/Config.ts"
import { deleteInBatches } from "../sql/deleteInBatches.ts"
import { Sql } from "../sql/Sql.ts"
import { orSqlDefect } from "../sql/sqlDefect.ts"

/** Rows of one statement: mails that were kept for want of a server hold the whole message. */
const BATCH = 1_000

export const pruneMails = Effect.gen(function* () {
  const sql = yield* Sql
  const { mailKeepDays } = yield* AppConfig
  const deleteBefore = new Date((yield* Clock.currentTimeMillis) - mailKeepDays * 86_400_000)
  const mails = yield* deleteInBatches(
    BATCH,
    sql`
      DELETE FROM mails WHERE mail_id IN (
        SELECT mail_id FROM mails WHERE created_on < ${deleteBefore}
        ORDER BY created_on LIMIT ${BATCH}::int FOR UPDATE SKIP LOCKED) RETURNING 1`
  )
  return { mails }
}).pipe(orSqlDefect)
