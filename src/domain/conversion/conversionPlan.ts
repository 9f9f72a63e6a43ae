// Judges what a field is to become (developer-api.md 11.4): the type by the table of pairs, the rest as a change of the definition. What is
// left out of the configuration stays as it was, settings as far as the new type has them.
import { Effect, Result, type Schema } from "effect"
import { ValidationError } from "../../platform/primitives/errors.ts"
import { nearestHint } from "../../platform/text/nearest.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { changeSettings, repeated } from "../records/apps/fieldChanges.ts"
import { makePlanning } from "../records/apps/fieldPlans.ts"
import { calculationsReading, isReadElsewhere } from "../records/calculations/calculationPlan.ts"
import { targetsOf } from "../records/conversion/conversionTable.ts"
import type { AnyOption, OptionSettings } from "../records/fields/kinds/optionFields.ts"
import type { Field } from "../records/fields/model/Field.ts"
import { typeOf } from "../records/fields/registry.ts"
import type { AppDefinition } from "../records/model/AppDefinition.ts"
import type { FieldConvert } from "./conversionSchemas.ts"

const invalid = (message: string) => new ValidationError({ message })

const optionOf = ({ color, id, means_completed, text }: AnyOption, tag: string): AnyOption => ({
  ...{ id, text, color },
  ...(tag === "status" ? { means_completed: means_completed ?? false } : {})
})

/** Settings of the former type that mean the same in the new one. */
const carried = (from: Field, tag: string): unknown => {
  const [fromType, toType] = [typeOf(from), typeOf({ field_type: tag })]
  if (fromType.kind !== toType.kind || toType.kind === "text") return null
  if (toType.kind === "options")
    return { options: (from.settings as OptionSettings).options.map((option) => optionOf(option, tag)) }
  const keys = new Set(Object.keys((toType.settings as unknown as Schema.Struct<Schema.Struct.Fields>).fields ?? {}))
  return Object.fromEntries(Object.entries(from.settings as object).filter(([key]) => keys.has(key)))
}

export const makeConversionPlan = Effect.gen(function* () {
  const { checkReferences, optionIds } = yield* makePlanning

  /** @returns the field as it will be, without the options that its values bring */
  return Effect.fnUntraced(function* (
    caller: CallerShape,
    definition: AppDefinition,
    from: Field,
    { config = {}, field_type: tag }: FieldConvert
  ) {
    const targets = targetsOf(from.field_type)
    if (!(targets as ReadonlyArray<string>).includes(tag)) {
      const possible = targets.length === 0 ? "to no other type" : `to ${targets.join(", ")}`
      return yield* invalid(
        `field_type: a ${from.field_type} field converts ${possible}, not to ${JSON.stringify(tag)}${nearestHint(tag, targets)}`
      )
    }
    const readers = calculationsReading(definition, from.field_id).map(({ slug }) => slug)
    if (readers.length > 0)
      return yield* invalid(`the calculation ${readers.join(", ")} reads the field: change its expression first`)
    if (isReadElsewhere(definition, from))
      return yield* invalid("a calculation of another app reads the field: change its expression first")
    const type = typeOf({ field_type: tag })
    if (config.unique === true)
      return yield* invalid("config.unique: make the field unique once it is converted; duplicates are listed then")
    const ids = yield* optionIds([{ config: { ...config, label: from.label } }])
    const change = changeSettings(type, carried(from, tag), config.settings ?? {}, ids)
    if (Result.isFailure(change)) return yield* invalid(change.failure)
    const to: Field = {
      ...from,
      field_type: tag,
      label: config.label ?? from.label,
      description: config.description === undefined ? from.description : config.description,
      required: config.required ?? (tag === "status" || from.required),
      unique: false,
      hidden_if_empty: config.hidden_if_empty ?? from.hidden_if_empty,
      always_hidden: config.always_hidden ?? from.always_hidden,
      settings: change.success.settings
    }
    const problem = type.checkDefinition?.(to) ?? null
    if (problem !== null) return yield* invalid(problem)
    const twice = repeated([...definition.fields.filter(({ field_id }) => field_id !== from.field_id), to])
    if (twice !== undefined) return yield* invalid(`field_type: an app has at most one ${twice} field`)
    yield* checkReferences(caller, definition, { created: [], updated: [to] })
    return to
  })
})
