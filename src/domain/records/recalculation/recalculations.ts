// Recalculations of all records of an app (developer-api.md 11.3): begun by a change of its definition, in the same transaction, and how many
// records they have not come to yet.
import { Effect, Schema } from "effect"
import { rowOf } from "../../../ground/sql/rows.ts"
import type { Sql } from "../../../ground/sql/Sql.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import type { Jobs } from "../../jobs/Jobs.ts"
import { type Calculation, calculationsOf } from "../calculations/calculationPlan.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"

export const RECALCULATION = "field_recalculate"

/** What a job of a recalculation knows: the app, and its version as the job began. */
export const RecalculationInput = Schema.Struct({ app_id: Schema.Int, version: Schema.Int })

/** Everything that the result depends on, with that of the calculations that it reads. */
const dependencyText = (one: Calculation, all: ReadonlyMap<number, Calculation>): string => {
  const { field, reads, settings } = one
  const { decimals, expression, result } = settings
  const read = [...reads.values()].map((other) => {
    const calculation = all.get(other.field_id)
    return calculation === undefined
      ? [other.field_id, other.field_type, other.settings]
      : dependencyText(calculation, all)
  })
  return JSON.stringify([field.field_id, expression, result, decimals, read])
}

const dependencies = (definition: AppDefinition): ReadonlyArray<string> => {
  const calculations = calculationsOf(definition)
  const byId = new Map(calculations.map((one) => [one.field.field_id, one]))
  return calculations.map((one) => dependencyText(one, byId))
}

/** True if some calculation is new, or gives something else under the new definition. */
const differs = (before: AppDefinition, after: AppDefinition): boolean => {
  const former = new Set(dependencies(before))
  return dependencies(after).some((text) => !former.has(text))
}

const Count = Schema.Struct({ n: Schema.Int })
const Pending = Schema.Struct({ pending: Schema.Int, job_id: Schema.NullOr(Schema.Int) })
const settled = { pending: 0, job_id: null }

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
    /** Records that open jobs have not come to, and the newest of these jobs. */
    pendingOf: (appId: number) =>
      Effect.map(
        rowOf(Pending)(sql`
          SELECT coalesce(max(greatest(total - done, 0)), 0)::int AS pending, max(job_id) AS job_id FROM jobs
          WHERE kind = ${sql.literal(`'${RECALCULATION}'`)} AND completed_on IS NULL AND (input->>'app_id')::bigint = ${appId}`),
        (row) => row ?? settled
      )
  }
}
