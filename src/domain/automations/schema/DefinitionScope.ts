// Values that a place of the definition can refer to: the trigger's outputs, variables, collections and created records of earlier steps
// (service.md 2.7 "Producer and consumer rules", developer-api.md 7.4).

import { withheldText } from "../../../platform/sharing/withheldText.ts"
import type { CustomDef, Reference, SecretReference } from "./dynamicValues.ts"
import type { TriggerContext, TriggerOutput } from "./Trigger.ts"
import type { ValidationModel } from "./ValidationModel.ts"

/** Apps whose records a producer may have collected or created; `any` if only the run knows. */
export type ProducedApp = number | "any"

export interface DefinitionScope {
  readonly model: ValidationModel
  readonly context: TriggerContext
  readonly outputs: ReadonlySet<TriggerOutput>
  /** True if a sender waits for what the run answers: a sync webhook (developer-api.md 7.9). */
  readonly isAwaited: boolean
  readonly variables: ReadonlySet<string>
  readonly collections: ReadonlySet<ProducedApp>
  readonly created: ReadonlySet<ProducedApp>
  /** True if a step stands in a loop over records. */
  readonly inRecordLoop: boolean
  /** Apps of the collected records; set inside a match condition. */
  readonly collected?: ReadonlySet<ProducedApp>
}

export const variableKey = (def: CustomDef) => `${def.custom_type} ${def.label}`

const reaches = (produced: ReadonlySet<ProducedApp>, app_id: number | undefined) =>
  app_id === undefined ? produced.size > 0 : produced.has(app_id) || produced.has("any")

export type ReferenceProblem =
  | { readonly kind: "variable"; readonly message: string; readonly field_id?: number }
  | { readonly kind: "app"; readonly message: string; readonly app_id: number }
  | { readonly kind: "secret" | "withheld_secret"; readonly message: string }

/** Returns the reason why a reference cannot resolve here, or undefined. */
export const referenceProblem = (
  reference: Reference | SecretReference,
  scope: DefinitionScope
): ReferenceProblem | undefined => {
  switch (reference.source) {
    case "field": {
      const { field_id } = reference
      const field = scope.model.fields.get(field_id)
      if (field === undefined) return { kind: "variable", message: `There is no field ${field_id}.`, field_id }
      const apps = scope.collected ?? scope.collections
      if (reference.collection && apps.size === 0 && !scope.inRecordLoop) {
        return {
          kind: "variable",
          message: `No step before this one collects records, so field ${field_id} has no collection.`,
          field_id
        }
      }
      const near = field.app_id === scope.model.app_id || reference.triggering || scope.inRecordLoop
      if (near || reaches(apps, field.app_id) || reaches(scope.collections, field.app_id)) return undefined
      const message = `Field ${field_id} belongs to app ${field.app_id}, of which no record is in reach here.`
      return { kind: "variable", message, field_id }
    }
    case "meta": {
      const { app_id } = reference
      if (app_id !== undefined && !scope.model.apps.has(app_id)) {
        return { kind: "app", message: `There is no app ${app_id}.`, app_id }
      }
      return undefined
    }
    case "trigger":
      return scope.outputs.has(reference.trigger_type)
        ? undefined
        : { kind: "variable", message: `The trigger has no output \`${reference.trigger_type}\`.` }
    case "custom":
      return scope.variables.has(variableKey(reference))
        ? undefined
        : {
            kind: "variable",
            message: `No step before this one declares the variable ${JSON.stringify(reference.label)} of type \`${reference.custom_type}\`.`
          }
    case "secret":
      return secretProblem(reference.name, scope)
    case "action":
      return actionProblem(reference, scope)
    default:
      return undefined
  }
}

/** Reason codes of the two problems. */
export const secretCodes = { secret: "action_secret_missing", withheld_secret: "action_secret_not_allowed" } as const

export const triggerSecretCodes = {
  secret: "trigger_secret_missing",
  withheld_secret: "trigger_secret_not_allowed"
} as const

export const secretProblem = (name: string, { model }: Pick<DefinitionScope, "model">) => {
  if (model.secrets.has(name)) return undefined
  const [kind, message] = model.withheld.secrets.has(name)
    ? (["withheld_secret", `The organization's secret ${JSON.stringify(name)} ${withheldText}.`] as const)
    : (["secret", `There is no secret ${JSON.stringify(name)} in the app, its workspace or the organization.`] as const)
  return { kind, message }
}

const actionProblem = (
  reference: Reference & { source: "action" },
  scope: DefinitionScope
): ReferenceProblem | undefined => {
  const { action_type, app_id } = reference
  const appSuffix = app_id === undefined ? "" : ` of app ${app_id}`
  switch (action_type) {
    case "record_collection":
      return reaches(scope.collections, app_id)
        ? undefined
        : { kind: "variable", message: `No step before this one collects records${appSuffix}.` }
    case "created_record":
      return reaches(scope.created, app_id)
        ? undefined
        : { kind: "variable", message: `No step before this one creates a record${appSuffix}.` }
    case "file_collection":
      return [...scope.variables].some((key) => key.startsWith("single_file ") || key.startsWith("multi_file "))
        ? undefined
        : { kind: "variable", message: "No step before this one makes files." }
  }
}
