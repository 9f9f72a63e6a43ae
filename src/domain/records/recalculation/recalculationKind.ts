// Calculates all records of an app anew, as a job (developer-api.md 11.3, 7.11), in the order of their ids. The records did not change: no
// revision, no event. A write that comes meanwhile calculates its record itself, by the new definition.
import { Clock, Effect, Option, Schema } from "effect"
import { formatDate } from "../../../ground/primitives/dates.ts"
import { rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { type BatchResult, type JobBatch, JobEnded, type JobKind } from "../../jobs/JobKind.ts"
import { calculate } from "../calculations/calculate.ts"
import { isCalculation } from "../calculations/calculationPlan.ts"
import { nothingFound } from "../fields/model/Field.ts"
import { type AppDefinition, titleOf } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { factsOf, RecordRow } from "../model/RecordRow.ts"
import { applySetCells } from "../writing/fieldInputs.ts"
import { makeStatements } from "../writing/recordStatements.ts"
import { makeRetitle } from "../writing/titles.ts"
import { RECALCULATION, RecalculationInput } from "./recalculations.ts"

/** Records of one batch: locked while they are calculated, for some milliseconds. */
const AT_ONCE = 200

const Version = Schema.Struct({ version: Schema.Int })
const decodeInput = Schema.decodeUnknownSync(RecalculationInput)

const finished = (message: string): BatchResult => ({
  position: null,
  done: 0,
  counts: {},
  report: [{ id: null, message }],
  over: true
})

export const recalculationKinds = Effect.gen(function* () {
  const sql = yield* Sql
  const definitions = yield* Definitions
  const { columns, settle } = yield* makeStatements
  const { retitlePointing } = yield* makeRetitle

  /** Records as they read now, those that differ only. */
  const differing = (definition: AppDefinition, rows: ReadonlyArray<RecordRow>, today: string) =>
    rows.flatMap((row) => {
      const { cells, errors } = calculate(definition, row.cells, factsOf(row), today)
      const change = applySetCells(row.cells, cells)
      const { titleField } = definition
      const title =
        change !== null && titleField !== undefined && isCalculation(titleField)
          ? titleOf(definition, change.cells, row, nothingFound)
          : row.title
      return [{ row, title, cells: change?.cells ?? null, failed: errors.size > 0 }]
    })

  const batch = Effect.fnUntraced(function* ({ input, position }: JobBatch) {
    const { app_id, version } = decodeInput(input)
    const app = yield* rowOf(Version)(sql`SELECT version FROM apps WHERE app_id = ${app_id} FOR KEY SHARE`)
    if (app === undefined) return yield* new JobEnded({ message: "The app was deleted." })
    const newer = yield* sql`
      SELECT 1 FROM jobs WHERE kind = 'field_recalculate' AND completed_on IS NULL AND (input->>'app_id')::bigint = ${app_id}
        AND (input->>'version')::bigint > ${version} LIMIT 1`
    if (newer.length > 0) return finished("A later change of the app calculates its records.")
    const definition = yield* definitions.ofVersion(app_id, app.version)
    const rows = yield* rowsOf(RecordRow)(sql`
      SELECT ${columns} FROM records r WHERE r.app_id = ${app_id} AND r.record_id > ${position ?? "0"}::bigint
      ORDER BY r.record_id LIMIT ${AT_ONCE}::int FOR NO KEY UPDATE`)
    const today = formatDate(new Date(yield* Clock.currentTimeMillis))
    const results = differing(definition, rows, today)
    const changed = results.filter(({ cells }) => cells !== null)
    const retitled = changed.filter(({ row, title }) => title !== row.title).map(({ row }) => row.record_id)
    if (retitled.length > 0) yield* settle(retitled)
    if (changed.length > 0) {
      const values = changed.map(({ cells, row, title }) => ({ record_id: row.record_id, cells, title }))
      yield* sql`
        UPDATE records r SET cells = x.cells, title = x.title
        FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS x (record_id bigint, cells jsonb, title text)
        WHERE r.record_id = x.record_id`
    }
    if (retitled.length > 0) yield* retitlePointing(retitled)
    return {
      position: Option.getOrNull(Option.fromUndefinedOr(rows.at(-1)?.record_id.toString())),
      done: rows.length,
      counts: {
        calculated: changed.length,
        unchanged: rows.length - changed.length
      },
      report: results
        .filter(({ failed }) => failed)
        .map(({ row }) => ({
          id: String(row.record_id),
          message: "A calculation has no result: see `calculation_errors`."
        })),
      over: rows.length < AT_ONCE
    } satisfies BatchResult
  })

  return [{ name: RECALCULATION, batch }] satisfies ReadonlyArray<JobKind>
})
