// Trigger `record_deleted` (service.md 2.7, developer-api.md 7.5): no config.
import { trigger } from "../spec.ts"

export const record_deleted = trigger({
  type: "record_deleted",
  label: "Record deleted",
  description: "A record is moved to the trash or destroyed; its values stay readable",
  context: "record",
  firedBy: ["record.delete"],
  config: {}
})
