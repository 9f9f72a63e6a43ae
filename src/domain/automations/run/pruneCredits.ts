// Retention of the credits that organizations used by the hour (developer-api.md 7.11): the present hour is what runs are held against, those
// before are there for who bills or looks back.
import { Clock, Effect } from "effect"
import { AppConfig } from "../../../ground/config/Config.ts"
import { drain } from "../../../ground/sql/drain.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../../ground/sql/sqlDefect.ts"

const BATCH = 5_000

export const pruneCredits = Effect.gen(function* () {
  const sql = yield* Sql
  const { creditsKeepDays } = yield* AppConfig
  const before = new Date((yield* Clock.currentTimeMillis) - creditsKeepDays * 86_400_000)
  const hours = yield* drain(
    BATCH,
    sql`
      DELETE FROM run_credits WHERE ctid IN (
        SELECT ctid FROM run_credits WHERE hour < ${before} LIMIT ${BATCH}::int FOR UPDATE SKIP LOCKED) RETURNING 1`
  )
  return { credit_hours: hours }
}).pipe(orSqlDefect)
