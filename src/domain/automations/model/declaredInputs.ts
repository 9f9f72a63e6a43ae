// Inputs that an automation's trigger declares, and that its callers fill (developer-api.md 7.5).
import type { CustomDef, Definition } from "./Definition.ts"

/** Returns the declared inputs, none unless their flag is on. */
export const inputsOf = (trigger: Definition["trigger"]): ReadonlyArray<CustomDef> => {
  if (trigger?.type !== "automation_called" && trigger?.type !== "weblink_clicked") return []
  return trigger.config.custom_variable_defs_enabled ? trigger.config.custom_variable_defs : []
}
