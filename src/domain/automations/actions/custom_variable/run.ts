// `custom_variable` and `rollup_iterable_values` (service.md 2.7, developer-api.md 7.7 rules 1 and 3).
import { Effect } from "effect"
import { HIDDEN, isSecretName } from "../../../../ground/text/redaction.ts"
import { numberOf } from "../../../records/fields/types/number.ts"
import { isPlainObject } from "../../input/walk.ts"
import type { Reference } from "../../model/Definition.ts"
import { variableName } from "../../model/RunScope.ts"
import { type Step, success } from "../../model/Step.ts"
import { References } from "../../values/resolveReference.ts"
import { Scripts } from "../../values/resolveScript.ts"
import { codeOf } from "../../values/resolveShown.ts"
import { storable } from "../../values/resolveStorable.ts"
import { failed, prepared, type StepOf } from "../runtime.ts"

export const customVariable = Effect.gen(function* () {
  const scripts = yield* Scripts
  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"custom_variable">) {
      const { assignment_code, custom_variable_defs: defs } = step.config
      const [first, ...others] = defs
      // Without a definition it does nothing, silently.
      if (first === undefined) return { status: "success", quiet: true } as const
      const { inputs, messages, value } = yield* scripts.evaluate(assignment_code, step)
      for (const { level, message } of messages) step.log.add(level, message)
      for (const [name, input] of Object.entries(inputs)) step.log.input(name, input)
      if (others.length > 0 && isPlainObject(value)) {
        for (const def of defs) {
          const key = [def.label, variableName(def.label)].find((name) => Object.hasOwn(value, name))
          step.set(def, key === undefined ? null : storable(value[key]))
        }
      } else step.set(first, storable(value))
      step.log.output("value", defs.some(({ label }) => isSecretName(label)) ? HIDDEN : value)
      return success
    })
  )
})

const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0)

const median = (sorted: ReadonlyArray<number>): number => {
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const DATE = /^\d{4}-\d{2}-\d{2}/

/** `min` and `max` of numbers, or of dates as text, which keep their order. */
const extreme = (values: ReadonlyArray<unknown>, sign: 1 | -1): unknown => {
  const dates = values.every((value) => typeof value === "string" && DATE.test(value))
  const sorted = dates
    ? (values as ReadonlyArray<string>).toSorted()
    : numbersIn(values).toSorted((one, other) => one - other)
  return sorted.at(sign === 1 ? -1 : 0) ?? null
}
const numbersIn = (values: ReadonlyArray<unknown>): ReadonlyArray<number> =>
  values.flatMap((value) => numberOf(value) ?? [])

export type RollupType = StepOf<"rollup_iterable_values">["config"]["rollup_type"]

/** The figure over one value per item; empties count only where they are counted. */
export const rollup = (type: RollupType, values: ReadonlyArray<unknown>): unknown => {
  const held = values.filter((value) => !isEmptyValue(value))
  const all = values.length
  const percent = (count: number) => (all === 0 ? null : (count / all) * 100)
  switch (type) {
    case "count_all":
      return all
    case "count_empty":
      return all - held.length
    case "count_not_empty":
      return held.length
    case "percent_empty":
      return percent(all - held.length)
    case "percent_not_empty":
      return percent(held.length)
    case "sum":
      return numbersIn(held).reduce((sum, value) => sum + value, 0)
    case "average": {
      const numbers = numbersIn(held)
      return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length
    }
    case "median": {
      const numbers = numbersIn(held).toSorted((one, other) => one - other)
      return numbers.length === 0 ? null : median(numbers)
    }
    case "min":
      return extreme(held, -1)
    case "max":
      return extreme(held, 1)
  }
}

const everything: Reference = { kind: "variable", source: "action", action_type: "record_collection" }

export const rollupIterableValues = Effect.gen(function* () {
  const references = yield* References

  /** One value per item: per record of a collection, per entry of a list. */
  const column = Effect.fnUntraced(function* (reference: Reference, step: Step) {
    const data = yield* references.data(reference, step)
    const context = yield* references.context([data], step)
    if (data.type === "cells" && reference.source !== "action") {
      return data.cells.map((cell) => codeOf({ ...data, cells: [cell], list: false }, reference.property, context))
    }
    const value = codeOf(data, reference.property, context)
    return Array.isArray(value) ? value : value === null ? [] : [value]
  })

  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"rollup_iterable_values">) {
      const { custom_variable_def, rollup_type, rollup_variable_def } = step.config
      const reference = rollup_variable_def ?? (rollup_type === "count_all" ? everything : undefined)
      if (reference === undefined) return yield* failed("Nothing is set to be rolled up.")
      const result = rollup(rollup_type, yield* column(reference, step))
      step.set(custom_variable_def, result)
      step.log.output("value", result)
      return success
    })
  )
})
