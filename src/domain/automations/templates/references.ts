// Reads short forms of references (our extension, docs/api.md "Short templates"): what `record.Customer` stands for in the law's form
// (developer-api.md 7.4). Pure, so that the console shares it.
import { customTypes } from "../schema/customVariables.ts"
import { actionOutputs, dataTypes, metaTypes, pdfCounts, requestParts } from "../schema/referenceTypes.ts"
import type { NameIndex } from "./nameIndex.ts"
import type { TemplatePath } from "./placeholders.ts"
import { makeFieldReader } from "./templateFields.ts"
import type { TemplateVariable } from "./templateNames.ts"
import { flagsOf, globalOf, heads, outputOf } from "./templateWords.ts"
import { hint, quote, refuse, UnknownName, type ValueObject, variable, withProperty } from "./unknownName.ts"

type Resolved = { readonly value: ValueObject } | { readonly mistake: string }
export type ResolvePath = (path: TemplatePath, as?: string) => Resolved

const isSame = (one: TemplateVariable, other: TemplateVariable) =>
  one.custom_type === other.custom_type && one.label === other.label

const oneOf = (tokens: ReadonlyArray<string>, head: string, token: string | number | undefined) =>
  tokens.includes(String(token)) ? token : refuse(`${head} has no ${quote(token)}${hint(token, tokens)}`)

const triggerValue = ([, ...path]: TemplatePath, as: string | undefined): ValueObject => {
  const [first, ...rest] = path
  if (first === undefined) return refuse("expected what the trigger brings, for instance trigger.mail")
  const trigger_type = typeof first === "string" ? outputOf.get(first) : undefined
  if (trigger_type === undefined || (trigger_type === "webhook_payload" && rest.length > 0)) {
    const key_path = trigger_type === undefined ? path : rest
    const data_type = as ?? "any"
    return variable({ source: "trigger", trigger_type: "webhook_payload_property", key_path, data_type })
  }
  const output = variable({ source: "trigger", trigger_type })
  if (!(requestParts as ReadonlyArray<string>).includes(trigger_type) || rest.length === 0)
    return withProperty(output, rest)
  const [key, ...propertyPath] = rest
  return withProperty({ ...output, key: String(key) }, propertyPath)
}

/** Reads paths as references at a place that has these names. */
export const makeResolver = (index: NameIndex): ResolvePath => {
  const { stepsByName, variablesByLabel } = index
  const { appNamed, fieldValue } = makeFieldReader(index)

  const customValue = ({ custom_type, label }: TemplateVariable, propertyPath: TemplatePath) =>
    withProperty(variable({ source: "custom", custom_type, label }), propertyPath)

  const variableValue = ([, label, ...propertyPath]: TemplatePath, as: string | undefined) => {
    const declarations = variablesByLabel.get(String(label)) ?? []
    if (declarations.length === 0)
      return refuse(`no variable ${quote(label)} is declared${hint(label, [...variablesByLabel.keys()])}`)
    const types = [...new Set(declarations.map(({ custom_type }) => custom_type))]
    const matchingTypes = as === undefined ? types : types.filter((type) => type === as)
    if (matchingTypes.length === 1)
      return customValue({ custom_type: matchingTypes[0]!, label: String(label) }, propertyPath)
    return refuse(`${quote(label)} is declared as ${types.join(" and ")}; say which: \`as ${types[0]}\``)
  }

  const stepValue = ([, name, label, ...propertyPath]: TemplatePath) => {
    const [step, ...otherSteps] = stepsByName.get(String(name)) ?? []
    if (step === undefined) return refuse(`no step is called ${quote(name)}${hint(name, [...stepsByName.keys()])}`)
    if (otherSteps.length > 0) return refuse(`${otherSteps.length + 1} steps are called ${quote(name)}`)
    const [declaration] = step.variables.filter((one) => one.label === label)
    if (declaration === undefined) {
      const labels = step.variables.map((one) => one.label)
      return refuse(`the step ${quote(name)} declares no variable ${quote(label)}${hint(label, labels)}`)
    }
    // A reference names no step: the latest declaration before it counts (developer-api.md 7.4).
    if (variablesByLabel.get(declaration.label)!.filter((one) => isSame(one, declaration)).length > 1)
      return refuse(`${quote(label)} is declared more than once; vars.${label} is the latest of them`)
    return customValue(declaration, propertyPath)
  }

  const outputValue = ([action_type, name, ...propertyPath]: TemplatePath) => {
    const app = name === undefined ? {} : { app_id: appNamed(name).app_id }
    return withProperty(variable({ source: "action", action_type, ...app }), propertyPath)
  }

  const valueOf = (path: TemplatePath, as: string | undefined): ValueObject => {
    const [head, name, ...rest] = path as readonly [string, ...TemplatePath]
    if (Object.hasOwn(flagsOf, head)) return fieldValue(head as keyof typeof flagsOf, path)
    if ((actionOutputs as ReadonlyArray<string>).includes(head)) return outputValue(path)
    const global_type = globalOf.get(head)
    if (global_type !== undefined) return withProperty(variable({ source: "global", global_type }), path.slice(1))
    switch (head) {
      case "meta":
        return withProperty(variable({ source: "meta", meta_type: oneOf(metaTypes, head, name) }), rest)
      case "trigger":
        return triggerValue(path, as)
      case "vars":
        return variableValue(path, as)
      case "steps":
        return stepValue(path)
      case "secrets":
        if (typeof name !== "string" || rest.length > 0) return refuse("expected the name of a secret, and no more")
        return variable({ source: "secret", name })
      case "pdf":
        if (rest.length > 0) return refuse(`nothing stands behind pdf.${name}`)
        return { kind: "value", value_type: "pdf", pdf: oneOf(pdfCounts, head, name) }
      default:
        return refuse(`nothing is called ${quote(head)}${hint(head, heads)}`)
    }
  }

  return (path, as) => {
    try {
      const value = valueOf(path, as)
      if (as === undefined) return { value }
      const types: ReadonlyArray<string> =
        value["source"] === "custom" ? customTypes : "data_type" in value ? dataTypes : []
      if (types.includes(as)) return { value }
      const isTyped = types.length > 0
      return {
        mistake: isTyped
          ? `there is no type ${quote(as)}${hint(as, types)}`
          : "`as` stands behind a payload's property or a variable"
      }
    } catch (error) {
      if (error instanceof UnknownName) return { mistake: error.message }
      throw error
    }
  }
}
