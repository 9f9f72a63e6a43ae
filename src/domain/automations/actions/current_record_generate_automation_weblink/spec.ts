// Action `current_record_generate_automation_weblink` (service.md 2.7, developer-api.md 7.10): a link that fires the target when clicked.
import { Schema } from "effect"
import { withDefault } from "../../schema/combinators.ts"
import { outputVariableDefaults } from "../../schema/customVariables.ts"
import { defaultDef } from "../../schema/dynamicValues.ts"
import { call } from "../shared/callConfig.ts"
import { action } from "../spec.ts"

export const current_record_generate_automation_weblink = action({
  type: "current_record_generate_automation_weblink",
  label: "Generate weblink",
  scopes: ["automations:run"],
  description: "Makes a link that starts another automation when it is clicked",
  requires: "weblink",
  calls: "weblink_clicked",
  declares: (config) => [config.custom_variable_def],
  config: {
    ...call,
    custom_variable_def: defaultDef(outputVariableDefaults.current_record_generate_automation_weblink),
    weblink_expiration: Schema.Literals(["never", "on_click", "one_day", "one_week", "one_month", "one_year"]).pipe(
      withDefault("never")
    )
  }
})
