// Secrets that a definition names (developer-api.md 7.13): for its trigger, by references in its steps, and in the source of their scripts.
import { namesInScript } from "../../secrets/secretNames.ts"
import type { Action } from "./Action.ts"
import type { CodeWithSecrets, SecretReference } from "./dynamicValues.ts"
import { secretsOfTrigger } from "./SenderProof.ts"
import { allActions, ownConfig, valuesIn } from "./walk.ts"

/** Returns the call that stands in a script for a secret reference. */
export const secretCall = ({ name }: SecretReference): string => `secret(${JSON.stringify(name)})`

export const namesInCode = (code: CodeWithSecrets): ReadonlyArray<string> =>
  namesInScript(
    code.map((item) => (typeof item === "string" ? item : item.source === "secret" ? secretCall(item) : " ")).join("")
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
