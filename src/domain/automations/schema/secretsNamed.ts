// Secrets that a definition names (developer-api.md 7.13): for its trigger, by references in its steps, and in the source of their scripts.
import { namesInScript } from "../../secrets/secretNames.ts"
import type { Action } from "./Action.ts"
import { secretsOfTrigger } from "./SenderProof.ts"
import type { CodeWithSecrets } from "./Value.ts"
import { allActions, ownConfig, valuesIn } from "./walk.ts"

/** Returns the source of a script that may use secrets, with the equivalent call in place of each secret reference. */
export const secretSource = (code: CodeWithSecrets) =>
  code.map((item) =>
    typeof item === "string" || item.source !== "secret" ? item : `secret(${JSON.stringify(item.name)})`
  )

export const namesInCode = (code: CodeWithSecrets): ReadonlyArray<string> =>
  namesInScript(
    secretSource(code)
      .map((item) => (typeof item === "string" ? item : " "))
      .join("")
  )

interface Named {
  readonly trigger: { readonly config: unknown } | null
  readonly actions: ReadonlyArray<Action>
}

export const secretsNamed = ({ actions, trigger }: Named): ReadonlySet<string> => {
  const names = new Set<string>(secretsOfTrigger(trigger?.config))
  for (const action of allActions(actions)) {
    for (const item of valuesIn(ownConfig(action)))
      if (item.kind === "variable" && item.source === "secret") names.add(item.name)
    if (action.type === "custom_code") for (const name of namesInCode(action.config["code"] ?? [])) names.add(name)
  }
  return names
}
