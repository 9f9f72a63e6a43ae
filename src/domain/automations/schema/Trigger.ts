// Values that triggers provide for filters and steps (service.md 2.7 "Trigger-context requirements", developer-api.md 7.4).
import type { RequestPart, triggerOutputs } from "./referenceTypes.ts"

export type TriggerOutput = (typeof triggerOutputs)[number] | "webhook_payload_property" | RequestPart

/** Context for steps: a record, a record with its comment, a record with the clicker's page, or no record. */
export type TriggerContext = "record" | "comment" | "weblink" | "none"
