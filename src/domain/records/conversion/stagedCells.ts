// New cells of a field under conversion (developer-api.md 11.4), kept beside the records until the switch. Each knows the cell that it was
// made of, so a value that somebody changes meanwhile is converted anew.
import { Effect, Schema } from "effect"
import type { Cell } from "../../../platform/primitives/Cell.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { ConvertedValue } from "./Converter.ts"

const ReadCell = Schema.Struct({
  record_id: Schema.Int,
  app_record_id: Schema.Int,
  cell: Schema.NullOr(jsonb<Cell>())
})
export type ReadCell = typeof ReadCell.Type

const Staged = Schema.Struct({ converted: Schema.Int, unconvertible: Schema.Int, records: Schema.Int })
const Problem = Schema.Struct({ id: Schema.String, message: Schema.String })

/** Characters of values that are read at once. */
const FIT_CHARACTERS = 1_000_000

export const makeStagedCells = Effect.map(Sql, (sql) => {
  const keyOf = (fieldId: number) => sql`${String(fieldId)}::text`

  /** The next records of the app, trashed ones too: at most `limit`, the first and as many as fit into a megabyte. None: there are no more. */
  const page = (appId: number, fieldId: number, after: number, limit: number) =>
    rowsOf(ReadCell)(sql`
      SELECT record_id, app_record_id, cell FROM (
        SELECT *, sum(size) OVER (ORDER BY app_record_id ROWS UNBOUNDED PRECEDING) - size AS before FROM (
          SELECT record_id, app_record_id, cells->${keyOf(fieldId)} AS cell, coalesce(length((cells->${keyOf(fieldId)})::text), 0) AS size
          FROM records
          WHERE app_id = ${appId} AND app_record_id > ${after} ORDER BY app_record_id LIMIT ${limit}::int) AS next
        ) AS sized
      WHERE before < ${FIT_CHARACTERS}::int ORDER BY app_record_id`)

  const stage = (jobId: number, values: ReadonlyArray<ConvertedValue>) =>
    values.length === 0
      ? Effect.void
      : sql`
          INSERT INTO converted_cells (job_id, record_id, source, cell, problem)
          SELECT ${jobId}::bigint, x.* FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
            AS x (record_id bigint, source jsonb, cell jsonb, problem text)
          ON CONFLICT (job_id, record_id) DO UPDATE SET source = excluded.source, cell = excluded.cell, problem = excluded.problem`

  /** Records whose value is not the one that was converted, or that was not converted; at most `limit`. */
  const changedSince = (jobId: number, appId: number, fieldId: number, limit: number) =>
    rowsOf(ReadCell)(sql`
      SELECT r.record_id, r.app_record_id, r.cells->${keyOf(fieldId)} AS cell FROM records r
      LEFT JOIN converted_cells c ON c.job_id = ${jobId}::bigint AND c.record_id = r.record_id
      WHERE r.app_id = ${appId} AND r.cells->${keyOf(fieldId)} IS DISTINCT FROM c.source LIMIT ${limit}::int`)

  /** Records whose new cell names records that are gone; at most `limit`. */
  const dangling = (jobId: number, limit: number) =>
    rowsOf(ReadCell)(sql`
      SELECT c.record_id, 0 AS app_record_id, c.source AS cell FROM converted_cells c
      WHERE c.job_id = ${jobId}::bigint AND EXISTS (
        SELECT 1 FROM jsonb_array_elements_text(c.cell) e LEFT JOIN records t ON t.record_id = e::bigint
        WHERE t.record_id IS NULL)
      LIMIT ${limit}::int`)

  /** Keeps the records that new cells name until the switch commits. */
  const holdTargets = (jobId: number) => sql`
    SELECT 1 FROM records WHERE record_id IN (
      SELECT e::bigint FROM converted_cells c, jsonb_array_elements_text(c.cell) e WHERE c.job_id = ${jobId}::bigint)
    ORDER BY record_id FOR KEY SHARE`

  const forget = (jobId: number, recordIds: ReadonlyArray<number>) =>
    recordIds.length === 0
      ? Effect.void
      : sql`
          DELETE FROM converted_cells WHERE job_id = ${jobId}::bigint AND record_id = ANY(${recordIds.map(String)}::text[]::bigint[])`

  /** Forgets the records that were destroyed meanwhile. */
  const forgetDestroyed = (jobId: number) => sql`
    DELETE FROM converted_cells c WHERE job_id = ${jobId}::bigint
      AND NOT EXISTS (SELECT 1 FROM records r WHERE r.record_id = c.record_id)`

  const clear = (jobId: number) => sql`DELETE FROM converted_cells WHERE job_id = ${jobId}::bigint`

  /** With the number of all records of the app. */
  const counts = (jobId: number, appId: number) =>
    Effect.map(
      rowOf(Staged)(sql`
        SELECT count(*) FILTER (WHERE problem IS NULL)::int AS converted, count(*) FILTER (WHERE problem IS NOT NULL)::int AS unconvertible,
          (SELECT count(*)::int FROM records WHERE app_id = ${appId}) AS records
        FROM converted_cells WHERE job_id = ${jobId}::bigint`),
      (row) => row!
    )

  const problems = (jobId: number, limit: number) =>
    rowsOf(Problem)(sql`
      SELECT record_id::text AS id, problem AS message FROM converted_cells
      WHERE job_id = ${jobId}::bigint AND problem IS NOT NULL ORDER BY record_id LIMIT ${limit}::int`)

  return { changedSince, clear, counts, dangling, forget, forgetDestroyed, holdTargets, page, problems, stage }
})
