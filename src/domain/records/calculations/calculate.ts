// Calculates the fields of a record (developer-api.md 11.3): those that read others after them. An expression that fails leaves its field
// empty, and so do those that read it. Pure.
import { Result } from "effect"
import { evaluateExpression } from "../../../platform/expressions/evaluateExpression.ts"
import { fail, type RecordValue, type Value } from "../../../platform/expressions/Value.ts"
import type { Cell, Cells } from "../../../platform/primitives/Cell.ts"
import type { Field, Problem, RecordFacts } from "../fields/model/Field.ts"
import { type AppDefinition, cellOf } from "../model/AppDefinition.ts"
import { calculationsOf } from "./calculationPlan.ts"
import { cellValue, resultCell } from "./calculationValues.ts"

export interface Calculated {
  readonly cells: ReadonlyMap<Field, Cell>
  readonly errors: ReadonlyMap<Field, Problem>
}

const nothing: Calculated = { cells: new Map(), errors: new Map() }

/** Records to which a relation field points, in its order; fails in the way of expressions if they are too many. */
export type RelatedRecords = (relation: Field, cell: Cell) => ReadonlyArray<RecordValue>

/** Lookup for an app whose calculations read no related records. */
export const noneRelated: RelatedRecords = () => []

/**
 * @param today the UTC day, `YYYY-MM-DD`
 * @param related what relatedRecords.ts has read for this record
 */
export const calculate = (
  definition: AppDefinition,
  stored: Cells,
  facts: RecordFacts,
  today: string,
  related: RelatedRecords
): Calculated => {
  const calculations = calculationsOf(definition)
  if (calculations.length === 0) return nothing
  const cells = new Map<Field, Cell>()
  const errors = new Map<Field, Problem>()
  const values = new Map<Field, Value>()
  const valueOf = (field: Field): Value => {
    const problem = errors.get(field)
    if (problem !== undefined) return fail(`${field.slug}: ${problem}`)
    const cachedValue = values.get(field)
    if (cachedValue !== undefined) return cachedValue
    const value = cellValue(cells.get(field) ?? cellOf(field, stored, facts), field)
    values.set(field, value)
    return value
  }
  for (const { expression, field, reads, settings } of calculations) {
    const record = { field: (name: string) => valueOf(reads.get(name)!) }
    const relatedTo = (name: string) => {
      const relation = reads.get(name)!
      return related(relation, cellOf(relation, stored, facts))
    }
    const result = Result.flatMap(evaluateExpression(expression, { record, related: relatedTo, today }), (value) =>
      resultCell(value, settings)
    )
    if (Result.isFailure(result)) errors.set(field, result.failure)
    cells.set(
      field,
      Result.getOrElse(result, () => [])
    )
  }
  return { cells, errors }
}
