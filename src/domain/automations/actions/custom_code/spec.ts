// Action `custom_code` (developer-api.md 7.6, 8): a statement block in the asynchronous sandbox; its result goes to the first def.
import { CustomDefs, code } from "../../schema/Value.ts"
import { action } from "../spec.ts"

export const custom_code = action({
  type: "custom_code",
  label: "Run code",
  scopes: [],
  description: "Runs JavaScript; the returned value and assigned variables go to later steps",
  kind: "outside",
  needs: [{ key: "code", code: "action_value_missing" }],
  declares: (config) => config.custom_variable_defs,
  config: { code, custom_variable_defs: CustomDefs }
})
