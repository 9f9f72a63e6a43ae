// Action `current_record_comment_or_reply_reply_create` (developer-api.md 7.6): a reply in the thread of the triggering comment or reply.
import { template } from "../../schema/dynamicValues.ts"
import { mutation } from "../shared/mutationConfig.ts"
import { action } from "../spec.ts"

export const current_record_comment_or_reply_reply_create = action({
  type: "current_record_comment_or_reply_reply_create",
  label: "Reply to comment",
  scopes: ["records.comments:edit"],
  description: "Replies in the thread of the triggering comment or reply",
  requires: "comment",
  needs: [{ key: "reply_content", code: "action_value_missing" }],
  config: { reply_content: template, ...mutation }
})
