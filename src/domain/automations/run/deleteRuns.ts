// Deletes runs that are over, with their values, log and ledger; what is dropped by weeks goes with its week (docs/architecture.md, "Logs by
// weeks").
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { runHolder } from "../../records/files/File.ts"

const TABLES = ["triggers", "items", "variables", "outputs", "pages", "waits"]

const DeletedRun = Schema.Struct({ run_id: Schema.String, revision_id: Schema.String })

export const makeDeleteRuns = (sql: Sql) =>
  /** Deletes the runs with the ids that `chosen` selects; call it in a transaction. Returns their ids. */
  Effect.fnUntraced(function* (chosen: Statement.Fragment): Effect.fn.Return<ReadonlyArray<string>, SqlError> {
    const deletedRuns = yield* rowsOf(DeletedRun)(sql`
      DELETE FROM runs WHERE run_id IN (${chosen}) RETURNING run_id::text, revision_id::text`)
    if (deletedRuns.length === 0) return []
    // Deletes the unversioned revisions of tested single steps: no other run uses them.
    yield* sql`
      DELETE FROM automation_revisions
      WHERE version IS NULL AND revision_id = ANY(${deletedRuns.map(({ revision_id }) => revision_id)}::text[]::bigint[])`
    const ids = deletedRuns.map(({ run_id }) => run_id)
    for (const table of TABLES) {
      yield* sql`DELETE FROM ${sql(`run_${table}`)} WHERE run_id = ANY(${ids}::text[]::bigint[])`
    }
    yield* sql`SELECT run_log_forget(${ids}::text[]::bigint[])`
    yield* sql`DELETE FROM file_holds WHERE holder = ANY(${ids.map(runHolder)}::text[])`
    return ids
  })
