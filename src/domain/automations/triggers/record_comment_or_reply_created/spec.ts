// Trigger `record_comment_or_reply_created` (developer-api.md 7.5): the current record is the commented one.
import { trigger } from "../spec.ts"

export const record_comment_or_reply_created = trigger({
  type: "record_comment_or_reply_created",
  label: "Comment or reply created",
  description: "A comment or reply is added to a record",
  context: "comment",
  firedBy: ["comment.create", "reply.create"],
  outputs: [
    "record_comment_or_reply_id",
    "record_comment_or_reply_content",
    "record_comment_or_reply_created_by",
    "record_comment_or_reply_attachments",
    "record_comment_or_reply_entity_type"
  ],
  config: {}
})
