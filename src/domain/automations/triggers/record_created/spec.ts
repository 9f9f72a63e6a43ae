// Trigger `record_created` (service.md 2.7, developer-api.md 7.5): no config.
import { trigger } from "../spec.ts"

export const record_created = trigger({
  type: "record_created",
  label: "Record created",
  description: "A record is created in the app",
  context: "record",
  firedBy: ["record.create"],
  config: {}
})
