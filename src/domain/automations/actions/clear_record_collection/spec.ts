// Action `clear_record_collection` (developer-api.md 7.6): empties a collection.

import { recordCollection } from "../shared/collectionConfig.ts"
import { action } from "../spec.ts"

export const clear_record_collection = action({
  type: "clear_record_collection",
  label: "Clear collection",
  scopes: [],
  description: "Empties a collection",
  consumes: "collection",
  config: recordCollection
})
