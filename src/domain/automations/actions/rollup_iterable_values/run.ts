// Runtime of `rollup_iterable_values` (service.md 2.7, developer-api.md 7.7 rule 3): computes one figure over the values of a collection or
// a list.
import { Effect } from "effect"
import type { Reference } from "../../model/Definition.ts"
import { type Step, success } from "../../model/Step.ts"
import { codeOf } from "../../values/resolveProperty.ts"
import { References } from "../../values/resolveReference.ts"
import { rollup } from "../rollup_iterable_values/rollup.ts"
import { failed, prepared, type StepOf } from "../runtime.ts"

const everything: Reference = { kind: "variable", source: "action", action_type: "record_collection" }

export const run = Effect.gen(function* () {
  const references = yield* References

  /** Returns one value per item: per record of a collection, per entry of a list. */
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
