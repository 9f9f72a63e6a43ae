// Action `rollup_iterable_values` (service.md 2.7, developer-api.md 7.7 rule 3): one figure over a collection-scoped field.
import { Schema } from "effect"
import { unset } from "../../schema/combinators.ts"
import { outputVariableDefaults } from "../../schema/customVariables.ts"
import { referenceProblem } from "../../schema/DefinitionScope.ts"
import { defaultDef, Reference } from "../../schema/dynamicValues.ts"
import { action } from "../spec.ts"

export const rollup_iterable_values = action({
  type: "rollup_iterable_values",
  label: "Roll up values",
  scopes: [],
  description: "Counts, sums or averages the values of a collection into a variable",
  declares: (config) => [config.custom_variable_def],
  *check({ rollup_type, rollup_variable_def: def }, scope) {
    const code = "action_variable_def_missing"
    if (def === undefined) {
      if (scope.collections.size === 0 && !scope.inRecordLoop) {
        yield { code, message: "No step before this one collects records to roll up." }
      } else if (rollup_type !== "count_all") {
        yield { code, message: `\`rollup_variable_def\` is not set; \`${rollup_type}\` needs it.` }
      }
      return
    }
    const scoped = def.source === "field" || def.source === "meta" ? def.collection === true : true
    const problem = scoped ? referenceProblem(def, scope) : undefined
    if (!scoped) yield { code, message: "`rollup_variable_def` is not a collection-scoped reference." }
    else if (problem !== undefined) {
      const { kind: _, ...rest } = problem
      yield { code, ...rest }
    } else if (def.source === "meta" && scope.collections.size === 0 && !scope.inRecordLoop) {
      yield { code, message: "No step before this one collects records to roll up." }
    }
  },
  config: {
    rollup_type: Schema.Literals([
      ...(["count_all", "count_empty", "count_not_empty", "percent_empty", "percent_not_empty"] as const),
      ...(["sum", "average", "median", "min", "max"] as const)
    ]),
    rollup_variable_def: unset(Reference),
    custom_variable_def: defaultDef(outputVariableDefaults.rollup_iterable_values)
  }
})
