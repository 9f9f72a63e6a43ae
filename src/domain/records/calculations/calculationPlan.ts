// The calculations of an app in the order of their dependencies (developer-api.md 11.3): compiled once for each definition; a name that no
// field has, and a cycle, is a problem. Pure.
import { Result } from "effect"
import { compileExpression } from "../../../platform/expressions/compileExpression.ts"
import type { Expression } from "../../../platform/expressions/Expression.ts"
import { nearestHint } from "../../../platform/text/nearest.ts"
import type { Field, Problem } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import { type CalculationSettings, calculation } from "../fields/types/calculation.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { isReadable } from "./calculationValues.ts"

/** A field as a definition has it, stored or about to be. */
export type PlannedField = Pick<Field, "slug" | "field_type" | "settings"> & { readonly field_id?: number }

export interface Calculation<F extends PlannedField = Field> {
  readonly field: F
  readonly settings: CalculationSettings
  readonly expression: Expression
  /** Fields that it reads, by the names that it has for them; relations that it follows are among them. */
  readonly reads: ReadonlyMap<string, F>
}

/** Relations whose records the calculation reads. */
export const relationsOf = <F extends PlannedField>({ expression, reads }: Calculation<F>): ReadonlyArray<F> =>
  [...expression.uses.relations].map((name) => reads.get(name)!)

export const isCalculation = ({ field_type }: Pick<Field, "field_type">) => field_type === calculation.tag

/** Finds fields by external id, or by their id in decimals. */
const fieldFinder = <F extends PlannedField>(fields: ReadonlyArray<F>) => {
  const byName = new Map(fields.map((field) => [String(field.field_id), field]))
  for (const field of fields) byName.set(field.slug, field)
  return byName
}

const judged = <F extends PlannedField>(
  field: F,
  byName: ReadonlyMap<string, F>
): Result.Result<Calculation<F>, Problem> =>
  Result.gen(function* () {
    const settings = field.settings as CalculationSettings
    const expression = yield* compileExpression(settings.expression)
    const { fields, relations } = expression.uses
    const reads = new Map<string, F>()
    for (const name of [...fields, ...relations]) {
      const read = byName.get(name)
      if (read === undefined)
        return yield* Result.fail(`the app has no field ${name}${nearestHint(name, [...byName.keys()])}`)
      if (!isReadable(read)) return yield* Result.fail(`${name}: a ${read.field_type} field cannot be read`)
      if (relations.has(name) && typeOf(read).refersTo !== "records")
        return yield* Result.fail(`related(${name}): a ${read.field_type} field has no related records`)
      reads.set(name, read)
    }
    return { field, settings, expression, reads }
  })

/** A problem of an expression, and the field that it is of. */
export interface PlanProblem<F> {
  readonly field: F
  readonly problem: Problem
}

/** The calculations in the order in which each has what it reads. */
export const planCalculations = <F extends PlannedField>(
  fields: ReadonlyArray<F>
): Result.Result<ReadonlyArray<Calculation<F>>, PlanProblem<F>> =>
  Result.gen(function* () {
    const byName = fieldFinder(fields)
    const byField = new Map<F, Calculation<F>>()
    for (const field of fields.filter(isCalculation)) {
      byField.set(field, yield* Result.mapError(judged(field, byName), (problem) => ({ field, problem })))
    }
    const ordered: Array<Calculation<F>> = []
    const visitedFields = new Set<F>()
    /** Depth is bounded by the number of fields of an app. */
    const visit = (field: F, path: ReadonlyArray<F>): Result.Result<void, PlanProblem<F>> => {
      const planned = byField.get(field)
      if (planned === undefined || visitedFields.has(field)) return Result.succeed(undefined)
      if (path.includes(field)) {
        const cycle = [...path.slice(path.indexOf(field)), field].map(({ slug }) => slug).join(" → ")
        return Result.fail({ field, problem: `reads itself: ${cycle}` })
      }
      for (const read of planned.reads.values()) {
        const visited = visit(read, [...path, field])
        if (Result.isFailure(visited)) return visited
      }
      visitedFields.add(field)
      ordered.push(planned)
      return Result.succeed(undefined)
    }
    for (const field of byField.keys()) yield* visit(field, [])
    return ordered
  })

const noCalculations: ReadonlyArray<Calculation> = []
const plans = new WeakMap<object, ReadonlyArray<Calculation>>()

/** The calculations of a stored definition, which were judged when it was stored. Those of a later release are left as they are. */
export const calculationsOf = (definition: { readonly fields: ReadonlyArray<Field> }): ReadonlyArray<Calculation> => {
  const cachedPlan = plans.get(definition)
  if (cachedPlan !== undefined) return cachedPlan
  const plan = definition.fields.some(isCalculation)
    ? Result.getOrElse(planCalculations(definition.fields), () => noCalculations)
    : noCalculations
  plans.set(definition, plan)
  return plan
}

/** True if some calculation reads when its record was changed last. */
export const readsLastModified = (definition: { readonly fields: ReadonlyArray<Field> }): boolean =>
  calculationsOf(definition).some(({ reads }) =>
    [...reads.values()].some((field) => typeOf(field).fact === "last_modified_at")
  )

/** True if some calculation reads related records: it is calculated with a lookup of them. */
export const readsRelated = (definition: { readonly fields: ReadonlyArray<Field> }): boolean =>
  calculationsOf(definition).some(({ expression }) => expression.uses.relations.size > 0)

/** Calculations that read the field. */
export const calculationsReading = (
  definition: { readonly fields: ReadonlyArray<Field> },
  fieldId: number
): ReadonlyArray<Field> =>
  calculationsOf(definition)
    .filter(({ reads }) => [...reads.values()].some(({ field_id }) => field_id === fieldId))
    .map(({ field }) => field)

/** True if a calculation over related records may read the field: of another app, or of the same one through a relation. */
export const isReadElsewhere = ({ readers }: Pick<AppDefinition, "readers">, { slug }: Pick<Field, "slug">): boolean =>
  readers.some(({ members }) => members.includes(slug))
