// Calculates all records of an app anew, as a job (developer-api.md 11.3, 7.11), in the order of their ids. The records did not change: no
// revision, no event. A write that comes meanwhile calculates its record itself, by the new definition.
import { Clock, Effect, Option, Schema } from "effect"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { type BatchResult, type JobBatch, JobEnded, type JobKind } from "../../jobs/JobKind.ts"
import { readTogether } from "../calculations/followedRelations.ts"
import { Definitions } from "../model/Definitions.ts"
import { RecordRow } from "../model/RecordRow.ts"
import { makePreparation } from "../writing/preparation.ts"
import { makeRecalculateRecords } from "../writing/recalculateRecords.ts"
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
  const preparation = yield* makePreparation
  const { columns } = preparation.statements
  const recalculating = makeRecalculateRecords(preparation)

  const batch = Effect.fnUntraced(function* ({ input, position }: JobBatch) {
    const { app_id, version } = decodeInput(input)
    const app = yield* rowOf(Version)(sql`SELECT version FROM apps WHERE app_id = ${app_id} FOR KEY SHARE`)
    if (app === undefined) return yield* new JobEnded({ message: "The app was deleted." })
    const newer = yield* sql`
      SELECT 1 FROM jobs WHERE kind = 'field_recalculate' AND completed_on IS NULL AND (input->>'app_id')::bigint = ${app_id}
        AND (input->>'version')::bigint > ${version} LIMIT 1`
    if (newer.length > 0) return finished("A later change of the app calculates its records.")
    const definition = yield* definitions.ofVersion(app_id, app.version)
    const lockedRows = yield* rowsOf(RecordRow)(sql`
      SELECT ${columns} FROM records r WHERE r.app_id = ${app_id} AND r.record_id > ${position ?? "0"}::bigint
      ORDER BY r.record_id LIMIT ${AT_ONCE}::int FOR NO KEY UPDATE`)
    const batchSize = readTogether(
      definition,
      lockedRows.map(({ cells }) => cells)
    )
    const calculatedAt = new Date(yield* Clock.currentTimeMillis)
    const calculated = yield* recalculating.calculateFirst(definition, lockedRows.slice(0, batchSize), calculatedAt)
    const rows = calculated.results.map(({ row }) => row)
    const { changed, failed } = yield* recalculating.quietly(definition, calculated)
    return {
      position: Option.getOrNull(Option.fromUndefinedOr(rows.at(-1)?.record_id.toString())),
      done: rows.length,
      counts: {
        calculated: changed,
        unchanged: rows.length - changed
      },
      report: failed.map((id) => ({
        id: String(id),
        message: "A calculation has no result: see `calculation_errors`."
      })),
      over: lockedRows.length < AT_ONCE && rows.length === lockedRows.length
    } satisfies BatchResult
  })

  return [{ name: RECALCULATION, batch }] satisfies ReadonlyArray<JobKind>
})
