// Trigger `automation_called` (service.md 2.7 trigger rule 3): inputs and allowed origins, each enabled by its flag.
import { checkCalled, companionFlags } from "../companionFlags.ts"
import { trigger } from "../spec.ts"

export const automation_called = trigger({
  type: "automation_called",
  label: "Automation called",
  description: "Another automation, or the call endpoint, calls this one",
  context: "record",
  firedBy: [],
  config: companionFlags,
  check: checkCalled
})
