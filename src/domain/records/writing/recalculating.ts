// Calculates locked records anew without a write of their own (developer-api.md 11.3): after a change of a related record with its author, a
// revision and an event; after a change of a definition quietly, since the records did not change.
import { Effect } from "effect"
import { formatDate } from "../../../platform/primitives/dates.ts"
import { inSlices } from "../../../platform/primitives/slices.ts"
import { calculate, type RelatedRecords } from "../calculations/calculate.ts"
import { readsLastModified } from "../calculations/calculationPlan.ts"
import { nothingFound } from "../fields/model/Field.ts"
import { type AppDefinition, titleOf } from "../model/AppDefinition.ts"
import { factsOf, type RecordRow, type WriteEffects } from "../model/RecordRow.ts"
import { applySetCells, type CellsChange } from "./fieldInputs.ts"
import type { Preparation } from "./preparation.ts"
import { changedTo } from "./recordChange.ts"
import { makeWriteChanged } from "./writeChanged.ts"

interface Result {
  readonly row: RecordRow
  /** Null: the results are those that are stored. */
  readonly change: CellsChange | null
  /** True if some calculation has no result. */
  readonly failed: boolean
}

export const makeRecalculating = (preparation: Preparation) => {
  const { relatedChanges, relatedTo, retitlePointing, sql, statements } = preparation
  const writeChanged = makeWriteChanged(preparation)

  const resultOf = (definition: AppDefinition, row: RecordRow, at: Date, related: RelatedRecords): Result => {
    const { cells, errors } = calculate(definition, row.cells, factsOf(row), formatDate(at), related)
    return { row, change: applySetCells(row.cells, cells), failed: errors.size > 0 }
  }
  const relatedToAll = (definition: AppDefinition, rows: ReadonlyArray<RecordRow>) =>
    relatedTo(
      definition,
      rows.map(({ cells }) => cells)
    )

  /** Calculates records as the definition has them now; notes what follows from that quietly, too. */
  const quietly = Effect.fnUntraced(function* (definition: AppDefinition, rows: ReadonlyArray<RecordRow>, at: Date) {
    const related = yield* relatedToAll(definition, rows)
    const results = yield* inSlices(rows, (row) => resultOf(definition, row, at, related))
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

  /** Calculates records after what they read has changed. @param effectsOf what each record's change shows and triggers */
  const recalculateAfter = Effect.fnUntraced(function* (
    definition: AppDefinition,
    rows: ReadonlyArray<RecordRow>,
    at: Date,
    effectsOf: (recordId: number) => WriteEffects
  ) {
    const related = yield* relatedToAll(definition, rows)
    const isTimeRead = readsLastModified(definition)
    const changesOfEach = yield* inSlices(rows, (row) => {
      const asBefore = resultOf(definition, row, at, related).change
      if (asBefore === null) return []
      const write = effectsOf(row.record_id)
      // The change itself is the record's last one: calculations may read its time.
      const changedRow = { ...row, last_modified_on: at, last_modified_by: write.author }
      const change = isTimeRead ? resultOf(definition, changedRow, at, related).change : asBefore
      return change === null ? [] : [changedTo(definition, row, change, { at, found: nothingFound, write })]
    })
    const changes = changesOfEach.flat()
    yield* writeChanged(definition, changes, new Map(rows.map((row) => [row.record_id, row])), at)
    return changes.length
  })

  return { quietly, after: recalculateAfter }
}
