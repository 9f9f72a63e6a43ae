// Action `current_record_comment_or_reply_delete` (developer-api.md 7.6): deletes the triggering comment or reply.

import { mutation } from "../shared/mutationConfig.ts"
import { action } from "../spec.ts"

export const current_record_comment_or_reply_delete = action({
  type: "current_record_comment_or_reply_delete",
  label: "Delete comment or reply",
  scopes: ["records.comments:edit"],
  description: "Deletes the triggering comment or reply",
  requires: "comment",
  config: mutation
})
