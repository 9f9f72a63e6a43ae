// A comment on a record, or a reply to a comment, as stored and as shown (developer-api.md 5).
import { Schema } from "effect"
import type { Author } from "../../../engine/outbox/Event.ts"
import { list, sizes, text, token } from "../../../platform/bounds/sized.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { AuthorView } from "../../accounts/accountSchemas.ts"
import { File } from "../files/File.ts"

export const maximumLength = 50_000

const storedFields = {
  comment_id: Schema.Int,
  record_id: Schema.Int,
  app_id: Schema.Int,
  org_id: Schema.Int,
  value: Schema.String,
  created_on: Schema.Date,
  created_by: jsonb<Author>(),
  edited_on: Schema.NullOr(Schema.Date)
}

export const CommentRow = Schema.Struct({ ...storedFields, reply_count: Schema.Int })
export type CommentRow = typeof CommentRow.Type

export const ReplyRow = Schema.Struct({ ...storedFields, reply_id: Schema.Int })
export type ReplyRow = typeof ReplyRow.Type

const shared = {
  value: Schema.String,
  created_on: Schema.String,
  edited_on: Schema.optionalKey(Schema.String),
  files: Schema.Array(File),
  created_by: AuthorView,
  user: AuthorView
}

export const Comment = Schema.Struct({
  comment_id: Schema.Int,
  ...shared,
  ref: Schema.Struct({ type: Schema.Literal("record"), id: Schema.Int }),
  reply_count: Schema.Int
}).annotate({ identifier: "Comment" })
export type Comment = typeof Comment.Type

export const Reply = Schema.Struct({
  reply_id: Schema.Int,
  ...shared,
  ref: Schema.Struct({ type: Schema.Literal("comment"), id: Schema.Int })
}).annotate({ identifier: "Reply" })
export type Reply = typeof Reply.Type

export const CommentInput = Schema.Struct({
  value: text(2 * maximumLength).annotate({
    description: `Text, at most ${maximumLength} characters; mentions as @[Name](user:<user_id>)`
  }),
  file_ids: Schema.optionalKey(list(token, sizes.ids))
}).annotate({ identifier: "CommentInput" })
export type CommentInput = typeof CommentInput.Type
