// Calculation fields in definition writes (developer-api.md 11.3): what is sent of them, and whether all expressions hold with the fields as
// they will be. Pure.
import { Result } from "effect"
import { isCalculation, type PlannedField, planCalculations } from "../calculations/calculationPlan.ts"
import type { Problem } from "../fields/model/Field.ts"
import type { CalculationSettings } from "../fields/types/calculation.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import type { FieldInput } from "./appSchemas.ts"

/** Keys of a calculation that stand beside its label, or among its settings. */
const keys = ["expression", "result", "decimals"] as const

/** Settings as sent, with those that stand beside them. */
export const settingsSent = (
  { config }: FieldInput,
  field: Pick<PlannedField, "field_type">
): Result.Result<Readonly<Record<string, unknown>>, Problem> => {
  const extraKeys = keys.filter((key) => config[key] !== undefined)
  const [first] = extraKeys
  if (first === undefined) return Result.succeed(config.settings ?? {})
  if (!isCalculation(field)) return Result.fail(`config.${first}: a ${field.field_type} field has no such setting`)
  return Result.succeed({ ...config.settings, ...Object.fromEntries(extraKeys.map((key) => [key, config[key]])) })
}

const byId = /\b(field|related)\(\s*([1-9]\d{0,15})\s*\)/g

/** The settings, with fields that are named by id under their external ids, which another installation knows too. */
export const settingsKept = (
  settings: unknown,
  field: Pick<PlannedField, "field_type">,
  before: AppDefinition | null
): unknown => {
  if (!isCalculation(field)) return settings
  const { expression, ...rest } = settings as CalculationSettings
  const named = expression.replaceAll(byId, (text, name, id) => {
    const read = before?.byId.get(Number(id))
    return read === undefined ? text : `${name}("${read.slug}")`
  })
  return { ...rest, expression: named }
}

/** @param placeOf the place of a field that is sent; none for one that stays as it is */
export const calculationsProblem = <F extends PlannedField>(
  fields: ReadonlyArray<F>,
  placeOf: (field: F) => string | undefined
): Problem | null => {
  const plan = planCalculations(fields)
  if (Result.isSuccess(plan)) return null
  const { field, problem } = plan.failure
  const fieldPlace = placeOf(field)
  return fieldPlace === undefined
    ? `fields: the calculation ${field.slug} would no longer work: ${problem}`
    : `${fieldPlace}.config.expression: ${problem}`
}
