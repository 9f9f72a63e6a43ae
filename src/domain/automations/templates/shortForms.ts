// Writes references in their short form (our extension, docs/api.md "Short templates"): the first one that reads as exactly this reference.
// Pure, so that the console shares it.
import type { NameIndex } from "./nameIndex.ts"
import { placeholderText, type TemplatePath } from "./placeholders.ts"
import type { ResolvePath } from "./references.ts"
import { flagsOf, ofOwnApp, shortGlobals, shortOutputs } from "./templateWords.ts"
import type { ValueObject } from "./unknownName.ts"

/** Members in one order. */
const keyOf = (value: object) => JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))

type ShortPath = readonly [path: TemplatePath, as?: string | undefined]

const triggerPaths = (value: ValueObject): ReadonlyArray<ShortPath> => {
  const { data_type, key, key_path, trigger_type } = value
  if (Array.isArray(key_path)) {
    const as = data_type === "any" ? undefined : String(data_type)
    return [["trigger"], ["trigger", "payload"]].map((head) => [[...head, ...(key_path as TemplatePath)], as] as const)
  }
  const word = shortOutputs[String(trigger_type)] ?? String(trigger_type)
  return [[["trigger", word, ...(typeof key === "string" ? [key] : [])]]]
}

export const makeShortForms = ({ appsById, fieldsById, stepOf, variablesByLabel }: NameIndex, resolve: ResolvePath) => {
  const fieldPaths = ({ field_id }: ValueObject): ReadonlyArray<ShortPath> => {
    const entry = fieldsById.get(field_id as number)
    if (entry === undefined) return []
    const { app, field } = entry
    return Object.keys(flagsOf).map((head) => [[head, ...(ofOwnApp.has(head) ? [] : [app.name]), field.name]] as const)
  }
  const variablePaths = ({ custom_type, label }: ValueObject): ReadonlyArray<ShortPath> => {
    const [declaration, ...others] = variablesByLabel.get(String(label)) ?? []
    const step = declaration === undefined || others.length > 0 ? undefined : stepOf.get(declaration)
    const variablePath = ["vars", String(label)]
    return [
      ...(step?.name === undefined ? [] : [[["steps", step.name, String(label)]] as const]),
      [variablePath],
      [variablePath, String(custom_type)]
    ]
  }

  const pathsOf = (value: ValueObject): ReadonlyArray<ShortPath> => {
    switch (value["source"]) {
      case "field":
        return fieldPaths(value)
      case "trigger":
        return triggerPaths(value)
      case "custom":
        return variablePaths(value)
      case "meta":
        return [[["meta", String(value["meta_type"])]]]
      case "action": {
        const app = appsById.get(value["app_id"] as number)
        return [[[String(value["action_type"]), ...(app === undefined ? [] : [app.name])]]]
      }
      case "global": {
        const token = String(value["global_type"])
        return [[[shortGlobals[token] ?? token]]]
      }
      case "secret":
        return [[["secrets", String(value["name"])]]]
      default:
        return value["value_type"] === "pdf" ? [[["pdf", String(value["pdf"])]]] : []
    }
  }

  /** Short form of a reference; undefined where none reads as exactly this one. */
  return (value: ValueObject): string | undefined => {
    const { property } = value
    for (const [path, as] of pathsOf(value)) {
      const fullPath = typeof property === "string" ? [...path, property] : path
      const resolved = resolve(fullPath, as)
      if ("value" in resolved && keyOf(resolved.value) === keyOf(value)) return placeholderText(fullPath, as)
    }
    return undefined
  }
}
export type ShortForm = (value: ValueObject) => string | undefined
