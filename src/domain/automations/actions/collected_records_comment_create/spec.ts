// Action `collected_records_comment_create` (developer-api.md 7.6): one comment per collected record.
import { template } from "../../schema/dynamicValues.ts"
import { recordCollection } from "../shared/collectionConfig.ts"
import { mutation } from "../shared/mutationConfig.ts"
import { action } from "../spec.ts"

export const collected_records_comment_create = action({
  type: "collected_records_comment_create",
  label: "Comment on collected records",
  scopes: ["records.comments:edit"],
  description: "Adds a comment to every collected record",
  consumes: "or_loop_item",
  needs: [{ key: "comment_content", code: "action_value_missing" }],
  config: { comment_content: template, ...recordCollection, ...mutation }
})
