// Calculates the fields of a record (developer-api.md 11.3): those that read others after them. An expression that fails leaves its field
// empty, and so do those that read it. All calculations of a record share a budget of steps, so that it holds the event loop for some tens
// of milliseconds at most; those that come after it is spent have no result. Pure.
import { Result } from "effect"
import { newBudget, STEPS, type StepBudget } from "../../../platform/expressions/Expression.ts"
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
  /** Work that it took. */
  readonly steps: number
}

const nothing: Calculated = { cells: new Map(), errors: new Map(), steps: 0 }

/**
 * Returns the records to which a relation field of a record with these cells points, in its order; fails in the way of expressions if they
 * are too many.
 */
export type RelatedRecords = (stored: Cells) => (relation: Field) => ReadonlyArray<RecordValue>

/** Lookup for an app whose calculations read no related records. */
export const noneRelated: RelatedRecords = () => () => []

/** Steps of all calculations of a record. */
const STEPS_OF_RECORD = 100_000

/** The budget of the next calculation of a record, of whose budget so much is left. */
const nextBudget = (left: number): StepBudget =>
  left < STEPS
    ? { left, problem: `the calculations of the record take more than ${STEPS_OF_RECORD} steps together` }
    : newBudget()

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
  const relatedRecords = related(stored)
  let remainingSteps = STEPS_OF_RECORD
  for (const { expression, field, reads, settings } of calculations) {
    const surroundings = {
      record: { field: (name: string) => valueOf(reads.get(name)!) },
      related: (name: string) => relatedRecords(reads.get(name)!),
      today
    }
    const budget = nextBudget(remainingSteps)
    const budgetedSteps = budget.left
    const result = Result.flatMap(evaluateExpression(expression, surroundings, budget), (value) =>
      resultCell(value, settings, budget)
    )
    remainingSteps = Math.max(0, remainingSteps - (budgetedSteps - budget.left))
    if (Result.isFailure(result)) errors.set(field, result.failure)
    cells.set(
      field,
      Result.getOrElse(result, () => [])
    )
  }
  return { cells, errors, steps: STEPS_OF_RECORD - remainingSteps }
}
