// Action `current_record_comment_create` (developer-api.md 7.6): a comment on the current record.
import { template } from "../../schema/dynamicValues.ts"
import { mutation } from "../shared/mutationConfig.ts"
import { action } from "../spec.ts"

export const current_record_comment_create = action({
  type: "current_record_comment_create",
  label: "Comment on current record",
  scopes: ["records.comments:edit"],
  description: "Adds a comment to the current record",
  requires: "record",
  needs: [{ key: "comment_content", code: "action_value_missing" }],
  config: { comment_content: template, ...mutation }
})
