// Recalculations of all records of an app (developer-api.md 11.3): begun by a change of its definition, in the same transaction, and how many
// records they have not come to yet.
import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import { rowOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import type { Jobs } from "../../jobs/Jobs.ts"
import { type Calculation, calculationsOf, type PlannedField, readsRelated } from "../calculations/calculationPlan.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"

export const RECALCULATION = "field_recalculate"

/** Input of a job of a recalculation: the app, and its version as the job began. */
export const RecalculationInput = Schema.Struct({ app_id: Schema.Int, version: Schema.Int })

/**
 * SHA-256 in hex of everything that a result depends on, by field: of the calculations, and of the fields that they read. What another field
 * depends on is part of it as its digest, so that a long chain of calculations costs as much for each as a short one.
 */
export const dependencyDigests = (
  calculations: ReadonlyArray<Calculation<PlannedField & { readonly field_id: number }>>
): ReadonlyMap<number, string> => {
  const digests = new Map<number, string>()
  const digest = (fieldId: number, parts: ReadonlyArray<unknown>): string => {
    const text = hash("sha256", JSON.stringify([fieldId, ...parts]), "hex")
    digests.set(fieldId, text)
    return text
  }
  // The plan has a calculation after those that it reads.
  for (const { field, reads, settings } of calculations) {
    const { decimals, expression, result } = settings
    const read = [...reads.values()].map(
      (other) => digests.get(other.field_id) ?? digest(other.field_id, [other.field_type, other.settings])
    )
    digest(field.field_id, [expression, result, decimals, read])
  }
  return digests
}

/**
 * True if some calculation is new, or gives something else under the new definition. One that is gone leaves to the others what it read of
 * related records, of which an app reads so much.
 */
const differs = (before: AppDefinition, after: AppDefinition): boolean => {
  const former = dependencyDigests(calculationsOf(before))
  const digests = dependencyDigests(calculationsOf(after))
  const isNew = [...digests].some(([fieldId, digest]) => former.get(fieldId) !== digest)
  return isNew || (readsRelated(after) && [...former.keys()].some((fieldId) => !digests.has(fieldId)))
}

const Count = Schema.Struct({ n: Schema.Int })
const Pending = Schema.Struct({ pending: Schema.Int, job_id: Schema.NullOr(Schema.Int) })
/** Records that wait for the pass are counted as far as this. */
const COUNTED = 10_000
const settledState = { pending: 0, job_id: null }

export const makeRecalculations = (sql: Sql, jobs: Jobs["Service"]) => {
  /** Begins a job that calculates all records of the app anew. @param caller who sees the job */
  const begin = Effect.fnUntraced(function* (caller: CallerShape | "operator", { app_id, version }: AppDefinition) {
    const row = yield* rowOf(Count)(sql`SELECT count(*)::int AS n FROM records WHERE app_id = ${app_id}`)
    const total = row?.n ?? 0
    if (total > 0) yield* jobs.beginStanding(caller, { kind: RECALCULATION, input: { app_id, version }, total })
  })

  return {
    begin,
    /** Begins one if a change of the definition, which holds the app, needs it. */
    changed: (caller: CallerShape, before: AppDefinition, after: AppDefinition) =>
      differs(before, after) ? begin(caller, after) : Effect.void,
    /** Records that open jobs and the pass over related records have not come to, and the newest of these jobs. */
    pendingOf: (appId: number) =>
      Effect.map(
        rowOf(Pending)(sql`
          SELECT (coalesce(max(greatest(total - done, 0)), 0) + (
            SELECT count(DISTINCT record_id) FROM (
              SELECT c.record_id FROM calculation_changes c WHERE c.app_id = ${appId} AND c.relation_id IS NULL
              UNION ALL SELECT l.record_id FROM calculation_changes c
                JOIN record_links l ON l.field_id = c.relation_id AND l.target_id = c.record_id AND l.record_id > c.position
              WHERE c.app_id = ${appId} LIMIT ${COUNTED}::int) waiting))::int AS pending, max(job_id) AS job_id
          FROM jobs
          WHERE kind = ${sql.literal(`'${RECALCULATION}'`)} AND completed_on IS NULL AND (input->>'app_id')::bigint = ${appId}`),
        (row) => row ?? settledState
      )
  }
}
