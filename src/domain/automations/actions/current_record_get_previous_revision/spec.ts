// Action `current_record_get_previous_revision` (developer-api.md 7.6): afterwards `previous` references read the revision before; no config.
import { action } from "../spec.ts"

export const current_record_get_previous_revision = action({
  type: "current_record_get_previous_revision",
  label: "Get previous revision",
  scopes: ["records:read"],
  description: "Makes the values before the current revision available as previous values",
  requires: "record",
  config: {}
})
