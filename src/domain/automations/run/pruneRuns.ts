// Retention of runs (developer-api.md 7.11: kept 30 days, config): what was over before then goes with log, ledger and values.
import { Clock, Effect, Schema } from "effect"
import { AppConfig } from "../../../ground/config/Config.ts"
import { drain } from "../../../ground/sql/drain.ts"
import { rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import { runHolder } from "../../records/files/File.ts"

const BATCH = 500
const TABLES = ["triggers", "ledger", "items", "variables", "outputs", "pages", "logs"]

const PrunedRun = Schema.Struct({ run_id: Schema.String, revision_id: Schema.String })

export const pruneRuns = Effect.gen(function* () {
  const sql = yield* Sql
  const { runsKeepDays } = yield* AppConfig
  const before = new Date((yield* Clock.currentTimeMillis) - runsKeepDays * 86_400_000)

  const batch = Effect.gen(function* () {
    const gone = yield* rowsOf(PrunedRun)(sql`
      DELETE FROM runs WHERE run_id IN (
        SELECT run_id FROM runs WHERE completed_on < ${before} ORDER BY completed_on LIMIT ${BATCH}::int)
      RETURNING run_id::text, revision_id::text`)
    // Of a step that was tried alone: nobody else runs it.
    yield* sql`
      DELETE FROM automation_revisions
      WHERE version IS NULL AND revision_id = ANY(${gone.map(({ revision_id }) => revision_id)}::text[]::bigint[])`
    const ids = gone.map(({ run_id }) => run_id)
    for (const table of ids.length === 0 ? [] : TABLES) {
      yield* sql`DELETE FROM ${sql(`run_${table}`)} WHERE run_id = ANY(${ids}::text[]::bigint[])`
    }
    if (ids.length > 0) yield* sql`DELETE FROM file_holds WHERE holder = ANY(${ids.map(runHolder)}::text[])`
    return ids.length
  }).pipe(sql.withTransaction)

  return { runs: yield* drain(BATCH, batch) }
}).pipe(orSqlDefect)
