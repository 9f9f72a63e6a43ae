// Action `collected_records_update` (developer-api.md 7.6): assigns fields of every collected record, one revision each.
import { assignments } from "../../schema/fieldAssignments.ts"
import { recordCollection } from "../shared/collectionConfig.ts"
import { mutation } from "../shared/mutationConfig.ts"
import { action } from "../spec.ts"

export const collected_records_update = action({
  type: "collected_records_update",
  label: "Update collected records",
  scopes: ["records:edit"],
  description: "Assigns fields of every collected record",
  consumes: "or_loop_item",
  assigns: "collection",
  config: { ...recordCollection, ...assignments, ...mutation }
})
