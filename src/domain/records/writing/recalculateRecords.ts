// Calculates locked records anew without a write of their own (developer-api.md 11.3): after a change of a related record with its author, a
// revision and an event; after a change of a definition quietly, since the records did not change.
import { Effect } from "effect"
import { formatDate } from "../../../platform/primitives/dates.ts"
import { inSlices } from "../../../platform/primitives/slices.ts"
import { calculate, type RelatedRecords } from "../calculations/calculate.ts"
import { readsLastModified } from "../calculations/calculationPlan.ts"
import { nothingFound } from "../fields/model/Field.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { factsOf, type RecordRow, type WriteEffects } from "../model/RecordRow.ts"
import { titleOf } from "../model/recordTitle.ts"
import { applySetCells, type CellsChange } from "./fieldInputs.ts"
import type { Preparation } from "./preparation.ts"
import { changedTo } from "./recordChange.ts"
import { makeWriteChanged } from "./writeChanged.ts"

/** Steps after which a batch ends: a third of a second, for which the definition of its app cannot be changed. */
const STEPS_AT_ONCE = 500_000

interface Result {
  readonly row: RecordRow
  /** Null: the results are those that are stored. */
  readonly change: CellsChange | null
  /** True if some calculation has no result. */
  readonly failed: boolean
}

/** Results of locked records, and what they were made of. */
interface CalculatedRows {
  readonly at: Date
  readonly related: RelatedRecords
  readonly results: ReadonlyArray<Result>
}

export const makeRecalculateRecords = (preparation: Preparation) => {
  const { relatedChanges, relatedTo, retitlePointing, sql, statements } = preparation
  const writeChanged = makeWriteChanged(preparation)

  const resultOf = (definition: AppDefinition, row: RecordRow, at: Date, related: RelatedRecords) => {
    const { cells, errors, steps } = calculate(definition, row.cells, factsOf(row), formatDate(at), related)
    return { row, change: applySetCells(row.cells, cells), failed: errors.size > 0, steps }
  }

  /** Calculates the first of the records, as many as a batch has time for; at least one. Writes nothing. */
  const calculateFirst = Effect.fnUntraced(function* (
    definition: AppDefinition,
    rows: ReadonlyArray<RecordRow>,
    at: Date
  ) {
    const related = yield* relatedTo(
      definition,
      rows.map(({ cells }) => cells)
    )
    let stepsLeft = STEPS_AT_ONCE
    const results = yield* inSlices(rows, (row): ReadonlyArray<Result> => {
      if (stepsLeft <= 0) return []
      const { steps, ...result } = resultOf(definition, row, at, related)
      stepsLeft -= steps
      return [result]
    })
    return { at, related, results: results.flat() } satisfies CalculatedRows
  })

  /** Writes results as the definition has them now; notes what follows from that quietly, too. */
  const quietly = Effect.fnUntraced(function* (definition: AppDefinition, { results }: CalculatedRows) {
    const titleId = definition.titleField?.field_id
    const changed = results.flatMap(({ change, row }) => {
      if (change === null) return []
      const { cells, delta } = change
      const retitled = titleId !== undefined && delta[titleId] !== undefined
      const title = retitled ? titleOf(definition, cells, row, nothingFound) : row.title
      return [{ record_id: row.record_id, cells, title, delta, retitled: title !== row.title }]
    })
    if (changed.length > 0) {
      const retitled = changed.filter((one) => one.retitled).map(({ record_id }) => record_id)
      if (retitled.length > 0) yield* statements.settle(retitled)
      const values = changed.map(({ cells, record_id, title }) => ({ record_id, cells, title }))
      yield* sql`
        UPDATE records r SET cells = x.cells, title = x.title
        FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS x (record_id bigint, cells jsonb, title text)
        WHERE r.record_id = x.record_id`
      if (retitled.length > 0) yield* retitlePointing(retitled)
      yield* relatedChanges.note(
        definition,
        changed.map(({ delta, record_id }) => ({ record_id, changed: Object.keys(delta).map(Number), write: null }))
      )
    }
    return { changed: changed.length, failed: results.filter(({ failed }) => failed).map(({ row }) => row.record_id) }
  })

  /** Writes results after what they read has changed. @param effectsOf what each record's change shows and triggers */
  const writeAfter = Effect.fnUntraced(function* (
    definition: AppDefinition,
    { at, related, results }: CalculatedRows,
    effectsOf: (recordId: number) => WriteEffects
  ) {
    const isTimeRead = readsLastModified(definition)
    const changesOfEach = yield* inSlices(results, ({ change: asBefore, row }) => {
      if (asBefore === null) return []
      const write = effectsOf(row.record_id)
      // The change itself is the record's last one: calculations may read its time.
      const changedRow = { ...row, last_modified_on: at, last_modified_by: write.author }
      const change = isTimeRead ? resultOf(definition, changedRow, at, related).change : asBefore
      return change === null ? [] : [changedTo(definition, row, change, { at, found: nothingFound, write })]
    })
    const changes = changesOfEach.flat()
    yield* writeChanged(definition, changes, new Map(results.map(({ row }) => [row.record_id, row])), at)
    return changes.length
  })

  return { calculateFirst, quietly, after: writeAfter }
}
