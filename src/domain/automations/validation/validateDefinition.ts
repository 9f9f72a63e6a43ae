// Semantic check of a whole definition (developer-api.md 7.3 validate, 7.12): pure over a model of what exists.

import { actionSpec } from "../actions/registry.ts"
import type { Action, CustomDef, Definition } from "../model/Definition.ts"
import { inputsOf } from "../model/declaredInputs.ts"
import { type DefinitionScope, referenceProblem, variableKey } from "../schema/DefinitionScope.ts"
import type { BrokenReason, Finding, ValidationModel } from "../schema/ValidationModel.ts"
import { allActions, valuesIn } from "../schema/walk.ts"
import { triggers } from "../triggers/registry.ts"
import type { TriggerSpec } from "../triggers/spec.ts"
import { checkFilter } from "./brokenFilters.ts"
import { checkActions } from "./brokenSteps.ts"

/** Purpose of a check: `activate` adds what only an automation that is to run needs, a trigger and a step. */
export type Purpose = "validate" | "activate"

export const validate = (
  definition: Definition,
  model: ValidationModel,
  purpose: Purpose = "validate"
): ReadonlyArray<BrokenReason> => [...reasons(definition, model, purpose)]

/** Checks a stored row: if a part of it cannot be read any more, only that is reported. */
export const checkRow = (
  row: Definition & { readonly unreadable: ReadonlyArray<BrokenReason> },
  model: ValidationModel,
  purpose: Purpose = "validate"
): ReadonlyArray<BrokenReason> => (row.unreadable.length > 0 ? row.unreadable : validate(row, model, purpose))

/** True if the entries leave the definition valid: those of deactivated steps do not count. */
export const isValid = (errors: ReadonlyArray<BrokenReason>) => errors.every((error) => error.deactivated === true)

function* reasons(definition: Definition, model: ValidationModel, purpose: Purpose): Iterable<BrokenReason> {
  const scope = startScope(definition, model)
  const { actions, filter, trigger } = definition
  if (trigger === null) {
    if (purpose === "activate")
      yield reasonAt("trigger", { code: "trigger_missing", message: "The automation has no trigger." })
  } else {
    const spec = triggers[trigger.type] as unknown as TriggerSpec<string, {}, {}>
    for (const finding of spec.check?.(trigger.config as never, model) ?? []) yield reasonAt("trigger", finding)
    const activationFindings =
      purpose === "activate" ? spec.checkActivation?.(trigger.config as never, model) : undefined
    for (const finding of activationFindings ?? []) yield reasonAt("trigger", finding)
  }
  if (filter !== null) for (const finding of checkFilter(filter, scope)) yield reasonAt("filter", finding)
  const end = yield* checkActions(actions, scope)
  // The response of a synchronous webhook is composed when the run ends, from the values of all steps (developer-api.md 7.9).
  if (trigger !== null) yield* checkTriggerValues(trigger.config, end)
  yield* checkOnFailure(definition, model)
  if (purpose === "activate" && actions.length === 0) {
    yield reasonAt("actions", { code: "actions_empty", message: "The automation has no actions." })
  }
}

const reasonAt = (block: string, { block_id, ...finding }: Finding): BrokenReason => ({
  ...finding,
  block_id: block_id ?? block,
  action_id: null
})

function* checkTriggerValues(config: unknown, scope: DefinitionScope): Iterable<BrokenReason> {
  for (const item of valuesIn(config)) {
    const problem = item.kind === "variable" ? referenceProblem(item, scope) : undefined
    if (problem === undefined) continue
    const { kind, ...rest } = problem
    yield reasonAt("trigger", { code: kind === "app" ? "trigger_app_missing" : "trigger_variable_missing", ...rest })
  }
}

/** Checks the automation that handles failures like a call target of a step (developer-api.md 7.12, 7.13). */
function* checkOnFailure({ on_failure_automation_id: id }: Definition, model: ValidationModel): Iterable<BrokenReason> {
  if (id == null) return
  const onFailureReason = (code: BrokenReason["code"], message: string) =>
    reasonAt("on_failure_automation_id", { code, message, automation_id: id })
  const target = model.automations.get(id)
  if (target === undefined) yield onFailureReason("action_automation_missing", `There is no automation ${id}.`)
  else if (target.app_id !== model.app_id) {
    yield onFailureReason("action_automation_invalid", `Automation ${id} belongs to another app.`)
  } else if (target.trigger_type !== "automation_called") {
    yield onFailureReason(
      "action_automation_invalid",
      `Automation ${id} does not have the trigger \`automation_called\`.`
    )
  }
}

/** Returns the variables that its steps declare. */
export const outputsOf = (actions: ReadonlyArray<Action>): ReadonlyArray<CustomDef> =>
  [...allActions(actions)].flatMap(({ config, type }) => actionSpec(type).declares?.(config) ?? [])

const startScope = ({ trigger }: Definition, model: ValidationModel): DefinitionScope => ({
  model,
  context: trigger === null ? "none" : triggers[trigger.type].context,
  isAwaited: trigger?.type === "webhook_received" && trigger.config.response_mode === "sync",
  outputs: new Set(trigger === null ? [] : triggers[trigger.type].outputs),
  variables: new Set(inputsOf(trigger).map(variableKey)),
  collections: new Set(),
  created: new Set(),
  inRecordLoop: false
})
