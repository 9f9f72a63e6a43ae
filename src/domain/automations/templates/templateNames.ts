// Names that short templates can use at a place: apps with their fields, variables of the trigger and of steps. Pure, so that the console
// shares it.

import { outputVariableDefaults } from "../schema/customVariables.ts"

interface TemplateField {
  readonly field_id: number
  readonly field_type: string
  /** External id. */
  readonly name: string
  readonly label: string
}
export interface TemplateApp {
  readonly app_id: number
  /** External id. */
  readonly name: string
  readonly label: string
  readonly fields: ReadonlyArray<TemplateField>
}
export interface TemplateVariable {
  readonly custom_type: string
  readonly label: string
}
interface TemplateStep {
  /** Absent if the step has no name of its own. */
  readonly name?: string
  readonly variables: ReadonlyArray<TemplateVariable>
}
export interface TemplateNames {
  /** App of the automation. */
  readonly own: TemplateApp | undefined
  /** Apps that may be named, the own one among them. */
  readonly apps: ReadonlyArray<TemplateApp>
  /** Names of apps to suggest. */
  readonly appNames: ReadonlyArray<string>
  /** Variables that the trigger declares. */
  readonly inputs: ReadonlyArray<TemplateVariable>
  readonly steps: ReadonlyArray<TemplateStep>
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isVariable = (value: unknown): value is TemplateVariable =>
  isObject(value) && typeof value["custom_type"] === "string" && typeof value["label"] === "string"

/** Variables that the config of a step or trigger declares, as it was written. */
export const variablesOf = (
  type: string,
  config: Readonly<Record<string, unknown>>
): ReadonlyArray<TemplateVariable> => {
  const { custom_variable_defs: several } = config
  const single = config["custom_variable_def"] ?? (outputVariableDefaults as Readonly<Record<string, unknown>>)[type]
  return [...(Array.isArray(several) ? several : []), single].filter(isVariable)
}

/** Trigger inputs and steps of a definition as it was written. */
export const declarationsOf = (definition: {
  readonly trigger?: unknown
  readonly actions?: unknown
}): Pick<TemplateNames, "inputs" | "steps"> => {
  const steps: Array<TemplateStep> = []
  const visit = (list: unknown): void => {
    for (const step of Array.isArray(list) ? list : []) {
      if (!isObject(step)) continue
      const { config = {}, custom_name: name, type } = step
      if (!isObject(config)) continue
      const variables = variablesOf(String(type), config)
      steps.push(typeof name === "string" ? { name, variables } : { variables })
      visit(config["action_rows"])
      visit(config["else_action_rows"])
    }
  }
  visit(definition.actions)
  const { trigger } = definition
  const config = isObject(trigger) && isObject(trigger["config"]) ? trigger["config"] : {}
  return { inputs: variablesOf("", config), steps }
}
