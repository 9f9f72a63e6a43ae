// Action `collected_records_call_automation` (developer-api.md 7.6): one run per collected record of the target's app.

import { call } from "../shared/callConfig.ts"
import { recordCollection } from "../shared/collectionConfig.ts"
import { action } from "../spec.ts"

export const collected_records_call_automation = action({
  type: "collected_records_call_automation",
  label: "Call automation for collected records",
  scopes: ["automations:run"],
  description: "Starts another automation for every collected record",
  consumes: "or_loop_item",
  kind: "call",
  calls: "automation_called",
  config: { ...call, ...recordCollection }
})
