// A comment on a record, or a reply to a comment, as stored and as shown (developer-api.md 5).
import { Schema } from "effect"
import type { Author } from "../../../engine/outbox/Event.ts"
import { list, sizes, text, token } from "../../../ground/bounds/sized.ts"
import { AuthorView } from "../../accounts/accountSchemas.ts"
import { File } from "../files/File.ts"

export const maximumLength = 50_000

export interface CommentRow {
  readonly comment_id: number
  readonly record_id: number
  readonly app_id: number
  readonly org_id: number
  readonly value: string
  readonly reply_count: number
  readonly created_on: Date
  readonly created_by: Author
  readonly edited_on: Date | null
}

export interface ReplyRow {
  readonly reply_id: number
  readonly comment_id: number
  readonly record_id: number
  readonly app_id: number
  readonly org_id: number
  readonly value: string
  readonly created_on: Date
  readonly created_by: Author
  readonly edited_on: Date | null
}

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
