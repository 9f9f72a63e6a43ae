// Action `custom_variable` (service.md 2.7, developer-api.md 7.7 rule 1): one expression, its value to the declared variables.
import { Code, CustomDefs } from "../../schema/dynamicValues.ts"
import { action } from "../spec.ts"

export const custom_variable = action({
  type: "custom_variable",
  label: "Set variable",
  scopes: [],
  description: "Evaluates one expression and keeps its value in variables",
  needs: [{ key: "assignment_code", code: "action_value_missing" }],
  declares: (config) => config.custom_variable_defs,
  config: { assignment_code: Code, custom_variable_defs: CustomDefs }
})
