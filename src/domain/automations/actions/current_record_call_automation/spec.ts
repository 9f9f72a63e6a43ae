// Action `current_record_call_automation` (developer-api.md 7.6, 7.13): starts the target for the current record, and waits if asked to.

import { call } from "../shared/callConfig.ts"
import { action } from "../spec.ts"

export const current_record_call_automation = action({
  type: "current_record_call_automation",
  label: "Call automation",
  scopes: ["automations:run"],
  description: "Starts another automation for the current record",
  requires: "record",
  kind: "call",
  calls: "automation_called",
  config: call
})
