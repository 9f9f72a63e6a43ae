// Normalizes a decoded definition for storage: gives actions their ids and groups (service.md 2.7 normalization rule 1), and their
// configs the form that their type asks for, such as the wrapped relative date of a delay. Values and filters: normalizeFilter.ts.
import { actionSpec } from "../actions/registry.ts"
import type { Action, AnyTrigger } from "../model/Definition.ts"
import { type Mint, nodeId } from "./nodeIds.ts"
import { normalizeValue } from "./normalizeFilter.ts"

export const normalizeAction =
  (mint: Mint) =>
  (action: Action): Action => ({
    id: nodeId(action, mint),
    type: action.type,
    group: actionSpec(action.type).group,
    ...(action.custom_name === undefined ? {} : { custom_name: action.custom_name }),
    ...(action.deactivate === undefined ? {} : { deactivate: action.deactivate }),
    ...(action.continue_on_error === undefined ? {} : { continue_on_error: action.continue_on_error }),
    ...(action.retry === undefined ? {} : { retry: action.retry }),
    config: normalizeConfig(action, mint)
  })

const normalizeConfig = (action: Action, mint: Mint): Record<string, any> => {
  const { group, normalize } = actionSpec(action.type)
  const config: Record<string, any> = {}
  for (const [key, value] of Object.entries(action.config)) {
    if (group === "control_flow" && (key === "action_rows" || key === "else_action_rows")) {
      config[key] = value.map(normalizeAction(mint))
    } else config[key] = normalizeValue(value, mint)
  }
  return normalize === undefined ? config : normalize(config)
}

export const normalizeTrigger = (trigger: AnyTrigger, mint: Mint): AnyTrigger =>
  normalizeValue(trigger, mint) as AnyTrigger
