// Action `custom_code` (developer-api.md 7.6, 8): a statement block in the asynchronous sandbox; its result goes to the first def.
import { secretCodes, secretProblem } from "../../schema/DefinitionScope.ts"
import { CustomDefs, codeWithSecrets } from "../../schema/dynamicValues.ts"
import { namesInCode } from "../../schema/secretsNamed.ts"
import { action } from "../spec.ts"

export const custom_code = action({
  type: "custom_code",
  label: "Run code",
  scopes: [],
  description: "Runs JavaScript; the returned value and assigned variables go to later steps",
  kind: "outside",
  needs: [{ key: "code", code: "action_value_missing" }],
  check: function* ({ code }, scope) {
    // Checks only the calls in the source: secret references are checked with all other references.
    const referred = new Set(
      code.flatMap((item) => (typeof item !== "string" && item.source === "secret" ? [item.name] : []))
    )
    for (const name of namesInCode(code)) {
      const problem = referred.has(name) ? undefined : secretProblem(name, scope)
      if (problem !== undefined) yield { code: secretCodes[problem.kind], message: problem.message }
    }
  },
  declares: (config) => config.custom_variable_defs,
  config: { code: codeWithSecrets, custom_variable_defs: CustomDefs }
})
