// Action `collected_records_collect_referenced_records` (developer-api.md 7.6): records reached from every record of a collection, one
// collection per app.

import { recordCollection, refCollectionDefs } from "../shared/collectionConfig.ts"
import { action } from "../spec.ts"

export const collected_records_collect_referenced_records = action({
  type: "collected_records_collect_referenced_records",
  label: "Collect records referenced by a collection",
  scopes: ["records:read"],
  description: "Collects the records that the records of a collection are related to",
  logsNoSuccess: true,
  produces: "record_collection",
  consumes: "or_loop_item",
  config: { ...recordCollection, ...refCollectionDefs }
})
