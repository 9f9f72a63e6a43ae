// Action `collect_referenced_records` (developer-api.md 7.6): records reached from the current record, one collection per app.

import { refCollectionDefs } from "../shared/collectionConfig.ts"
import { action } from "../spec.ts"

export const collect_referenced_records = action({
  type: "collect_referenced_records",
  label: "Collect referenced records",
  scopes: ["records:read"],
  description: "Collects the records that the current record is related to",
  produces: "record_collection",
  config: refCollectionDefs
})
