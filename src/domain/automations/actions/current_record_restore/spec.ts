// Action `current_record_restore` (developer-api.md 7.6): a record that is not trashed is logged, no error.

import { mutation } from "../shared/mutationConfig.ts"
import { action } from "../spec.ts"

export const current_record_restore = action({
  type: "current_record_restore",
  label: "Restore current record",
  scopes: ["records:edit"],
  description: "Takes the current record out of the trash",
  requires: "record",
  config: mutation
})
