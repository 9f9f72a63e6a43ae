// Action `filter_record_collection` (developer-api.md 7.6): keeps the records that match, in place.

import { matchCondition, recordCollection } from "../shared/collectionConfig.ts"
import { action } from "../spec.ts"

export const filter_record_collection = action({
  type: "filter_record_collection",
  label: "Filter collection",
  scopes: ["records:read"],
  description: "Keeps the collected records that match a condition; a condition whose value is empty is left out",
  consumes: "collection",
  config: { ...recordCollection, match_condition: matchCondition }
})
