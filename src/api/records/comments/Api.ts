// Endpoints of comments and replies: developer-api.md 5.

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Comment, CommentInput, Reply } from "../../../domain/records/comments/Comment.ts"
import { threadLimits } from "../../../domain/records/comments/threads.ts"
import { switchQuery } from "../../../domain/records/reading/sideEffectSwitches.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"
import { DevApi } from "../../middleware/DevApi.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { pageOf } from "../../middleware/pageOf.ts"
import { requires } from "../../middleware/Requires.ts"
import { groupSummary, withSummary } from "../../middleware/summaries.ts"

const record = { record_id: Id }
const comment = { comment_id: Id }
const reply = { reply_id: Id }
const pageQuery = {
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: threadLimits.max }))),
  cursor: Schema.optionalKey(Schema.String)
}
const { silent, hook, workflow } = switchQuery
const reads = "records.comments:read" as const
const editScope = "records.comments:edit" as const
const onRecord = (level: 1 | 2) => ({ kind: "record", level }) as const
const onComment = (level: 1 | 2) => ({ kind: "comment", level }) as const
const onReply = (level: 1 | 2) => ({ kind: "reply", level }) as const

export class CommentsApi extends HttpApiGroup.make("comments")
  .add(
    HttpApiEndpoint.post("create", "/v1/comment/record/:record_id", {
      params: record,
      query: { silent, hook, workflow },
      payload: CommentInput,
      success: Comment,
      error: fails("ValidationError", "RecordDeleted", "RecordNotFound")
    }).pipe(
      requires({ scope: editScope, guard: onRecord(2) }),
      withSummary("Comment on a record", "Adds a comment, with files and mentions if there are any.")
    ),
    HttpApiEndpoint.get("list", "/v1/comment/record/:record_id", {
      params: record,
      query: pageQuery,
      success: pageOf("comments", Comment),
      error: fails("ValidationError")
    }).pipe(
      requires({ scope: reads, guard: onRecord(1) }),
      withSummary("List comments of a record", "Oldest first, in pages.")
    ),
    HttpApiEndpoint.get("get", "/v1/comment/:comment_id", {
      params: comment,
      success: Comment,
      error: fails("NotFound")
    }).pipe(
      requires({
        scope: reads,
        guard: onComment(1)
      }),
      withSummary("Get a comment", "One comment with its text, files and author.")
    ),
    HttpApiEndpoint.put("edit", "/v1/comment/:comment_id", {
      params: comment,
      query: { silent },
      payload: CommentInput,
      success: Comment,
      error: fails("ValidationError", "Restricted", "NotFound")
    }).pipe(
      requires({ scope: editScope, guard: onComment(1) }),
      withSummary("Edit a comment", "Its author changes text and files.")
    ),
    HttpApiEndpoint.delete("remove", "/v1/comment/:comment_id", {
      params: comment,
      query: { silent, hook },
      success: Schema.Struct({}),
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires({ scope: editScope, guard: onComment(1) }),
      withSummary("Delete a comment", "Deletes it with its replies; its author may, and admins of the workspace.")
    ),
    HttpApiEndpoint.post("reply", "/v1/comment/:comment_id/reply", {
      params: comment,
      query: { silent, workflow },
      payload: CommentInput,
      success: Reply,
      error: fails("ValidationError", "RecordDeleted", "NotFound", "RecordNotFound")
    }).pipe(
      requires({ scope: editScope, guard: onComment(2) }),
      withSummary("Reply to a comment", "Adds a reply below a comment.")
    ),
    HttpApiEndpoint.get("replies", "/v1/comment/:comment_id/reply", {
      params: comment,
      query: pageQuery,
      success: pageOf("replies", Reply),
      error: fails("ValidationError")
    }).pipe(
      requires({ scope: reads, guard: onComment(1) }),
      withSummary("List replies to a comment", "Oldest first, in pages.")
    ),
    HttpApiEndpoint.get("getReply", "/v1/reply/:reply_id", {
      params: reply,
      success: Reply,
      error: fails("NotFound")
    }).pipe(
      requires({
        scope: reads,
        guard: onReply(1)
      }),
      withSummary("Get a reply", "One reply with its text, files and author.")
    ),
    HttpApiEndpoint.put("editReply", "/v1/reply/:reply_id", {
      params: reply,
      query: { silent },
      payload: CommentInput,
      success: Reply,
      error: fails("ValidationError", "Restricted", "NotFound")
    }).pipe(
      requires({ scope: editScope, guard: onReply(1) }),
      withSummary("Edit a reply", "Its author changes text and files.")
    ),
    HttpApiEndpoint.delete("removeReply", "/v1/reply/:reply_id", {
      params: reply,
      query: { silent },
      success: Schema.Struct({}),
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires({ scope: editScope, guard: onReply(1) }),
      withSummary("Delete a reply", "Its author and admins may.")
    )
  )
  .middleware(DevApi)
  .annotateMerge(groupSummary("Comments", "Comments on records, and replies to them.")) {}
