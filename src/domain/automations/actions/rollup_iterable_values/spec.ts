// Action `rollup_iterable_values` (service.md 2.7, developer-api.md 7.7 rule 3): one figure over a collection-scoped field.
import { Schema } from "effect"
import { unset } from "../../schema/combinators.ts"
import { defaultDef, Reference } from "../../schema/Value.ts"
import { action } from "../spec.ts"

export const rollup_iterable_values = action({
  type: "rollup_iterable_values",
  label: "Roll up values",
  scopes: [],
  description: "Counts, sums or averages the values of a collection into a variable",
  declares: (config) => [config.custom_variable_def],
  config: {
    rollup_type: Schema.Literals([
      ...(["count_all", "count_empty", "count_not_empty", "percent_empty", "percent_not_empty"] as const),
      ...(["sum", "average", "median", "min", "max"] as const)
    ]),
    rollup_variable_def: unset(Reference),
    custom_variable_def: defaultDef("any", "Rollup")
  }
})
