// Broken reasons of steps that call an automation (developer-api.md 7.8, 7.12): the target exists in the same app, has the trigger that is
// called, and takes the arguments.
import type { AnyActionSpec } from "../actions/registry.ts"
import type { CallArgument } from "../actions/shared/callConfig.ts"
import { type DefinitionScope, variableKey } from "../schema/DefinitionScope.ts"
import type { Finding } from "../schema/ValidationModel.ts"

export function* checkCall(
  spec: AnyActionSpec,
  config: Record<string, any>,
  { model }: DefinitionScope
): Iterable<Finding> {
  const automation_id = config["automation_id"] as number | undefined
  const target = automation_id === undefined ? undefined : model.automations.get(automation_id)
  if (automation_id === undefined) {
    yield { code: "action_automation_missing", message: "`automation_id` is not set." }
    return
  }
  if (target === undefined) {
    yield { code: "action_automation_missing", message: `There is no automation ${automation_id}.`, automation_id }
    return
  }
  if (target.app_id !== model.app_id) {
    yield {
      code: "action_automation_invalid",
      message: `Automation ${automation_id} belongs to another app.`,
      automation_id
    }
  } else if (target.trigger_type !== spec.calls) {
    const message = `Automation ${automation_id} does not have the trigger \`${spec.calls}\`.`
    yield { code: "action_automation_invalid", message, automation_id }
  } else {
    const inputs = new Set(target.inputs.map(variableKey))
    for (const { id, variable_def } of config["call_arguments"] as ReadonlyArray<CallArgument>) {
      if (inputs.has(variableKey(variable_def))) continue
      const message = `Automation ${automation_id} has no input ${JSON.stringify(variable_def.label)} of type \`${variable_def.custom_type}\`.`
      const location = { automation_id, call_argument: variable_def.label, ...(id === "" ? {} : { block_id: id }) }
      yield { code: "action_call_argument_invalid", message, ...location }
    }
  }
}
