// Action `current_record_delete` (developer-api.md 7.6): the record goes to the trash.

import { mutation } from "../shared/mutationConfig.ts"
import { action } from "../spec.ts"

export const current_record_delete = action({
  type: "current_record_delete",
  label: "Delete current record",
  scopes: ["records:edit"],
  description: "Moves the current record to the trash",
  requires: "record",
  config: mutation
})
