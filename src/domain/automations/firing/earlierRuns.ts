// Data that a new run takes from earlier ones: the trigger of the run that it retries, the trigger data of a debounced run
// (developer-api.md 7.13), and the files named by arguments.
import { isDeepStrictEqual } from "node:util"
import { Effect, Schema } from "effect"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { AnyTrigger } from "../model/Definition.ts"
import { inputsOf } from "../model/declaredInputs.ts"
import type { Cursor } from "../model/Plan.ts"
import { type RecordState, type TriggerData, variableName } from "../model/RunScope.ts"
import { makeSealed } from "../model/sealedValues.ts"
import { filesIn } from "../values/resolveData.ts"

const TakenTrigger = Schema.Struct({
  data: jsonb<TriggerData>(),
  cursor: Schema.NullOr(jsonb<Cursor>()),
  /** True if the run's filter accepted the event. */
  passed: Schema.Boolean
})

const GatheringRun = Schema.Struct({ run_id: Schema.String, data: jsonb<TriggerData>() })

const differs = (before: RecordState, after: RecordState, field: number): boolean => {
  const key = String(field)
  // A field that is computed on read has no cell: once changed, it counts as different.
  if (!(key in before.cells) && !(key in after.cells)) return true
  return !isDeepStrictEqual(before.cells[key] ?? [], after.cells[key] ?? [])
}

/**
 * Merges two changes of a record that fire once (7.13; decisions A7). `record` is the state after the last change, `previous` the state before
 * the first. `changed` holds the fields that any of them changed and that differ between the two.
 */
export const mergeChanges = (first: TriggerData, next: TriggerData): TriggerData => {
  const { changed, previous } = first
  const record = next.record
  if (record === null || previous === null || changed === null) return { ...first, record }
  const changedFields = [...new Set([...changed, ...(next.changed ?? [])])]
  return { ...first, record, changed: changedFields.filter((field) => differs(previous, record, field)) }
}

export const makeEarlierRuns = Effect.gen(function* () {
  const sql = yield* Sql
  const { open } = yield* makeSealed

  /** Returns the files that arguments name, together with the run that holds them. */
  const handedOver = Effect.fnUntraced(function* (
    by: string | undefined,
    trigger: AnyTrigger | null,
    data: TriggerData
  ) {
    if (by === undefined || data.arguments === undefined) return null
    const files: Array<number> = []
    for (const { custom_type, label } of inputsOf(trigger)) {
      if (custom_type !== "single_file" && custom_type !== "multi_file") continue
      files.push(...filesIn(yield* open(data.arguments[variableName(label)])).map(({ file_id }) => file_id))
    }
    return files.length === 0 ? null : { by, files }
  })

  const retriedRun = (runId: string) =>
    Effect.map(
      rowsOf(TakenTrigger)(sql`
        SELECT t.data, r.cursor, r.debounced_until IS NULL AND NOT EXISTS (
          SELECT 1 FROM run_logs l WHERE l.run_id = r.run_id AND l.type = 'filter' AND l.status = 'failure') AS passed
        FROM runs r JOIN run_triggers t USING (run_id) WHERE run_id = ${runId}::bigint`),
      ([row]) => row ?? null
    )

  /** Returns the pending run that coalesces the changes of a record (7.13). */
  const gathering = (automationId: number, recordId: number | null) =>
    Effect.map(
      rowsOf(GatheringRun)(sql`
        SELECT r.run_id::text, t.data FROM runs r JOIN run_triggers t USING (run_id)
        WHERE r.automation_id = ${automationId} AND r.record_id = ${recordId}
          AND r.debounced_until IS NOT NULL AND r.completed_on IS NULL`),
      ([row]) => row ?? null
    )

  return { handedOver, retriedRun, gathering }
})
