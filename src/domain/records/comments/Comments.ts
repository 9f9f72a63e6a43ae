// Comments on records and replies to them, two levels (developer-api.md 5). Commenting adds no record revision.
import { Clock, Context, Effect, Layer, Struct } from "effect"
import type { Switches } from "../../../engine/outbox/Event.ts"
import {
  NotFound,
  RecordDeleted,
  type RecordNotFound,
  type Restricted,
  type ValidationError
} from "../../../platform/primitives/errors.ts"
import { countOf, rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../platform/sql/transact.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { Files } from "../files/Files.ts"
import type { Write } from "../model/RecordRow.ts"
import { type Comment, type CommentInput, CommentRow, type Reply, ReplyRow } from "./Comment.ts"
import { makeCommentChanges } from "./commentChanges.ts"
import { makeThreads, type ThreadPage } from "./threads.ts"

type Missing = NotFound | RecordNotFound | RecordDeleted

export interface CommentPage {
  readonly total: number
  readonly cursor: string | null
  readonly comments: ReadonlyArray<Comment>
}
export interface ReplyPage {
  readonly total: number
  readonly cursor: string | null
  readonly replies: ReadonlyArray<Reply>
}
const MadeComment = CommentRow.mapFields(Struct.omit(["org_id"]))

const MadeReply = ReplyRow.mapFields(Struct.omit(["org_id", "app_id", "record_id"]))

export class Comments extends Context.Service<
  Comments,
  {
    /** Adds a comment to a live record. Automations call it in their transaction. */
    readonly create: (
      write: Write,
      recordId: number,
      input: CommentInput
    ) => Effect.Effect<CommentRow, ValidationError | RecordNotFound | RecordDeleted>
    readonly reply: (
      write: Write,
      commentId: number,
      input: CommentInput
    ) => Effect.Effect<ReplyRow, ValidationError | Missing>
    readonly list: (grant: AccessGrant, page: ThreadPage) => Effect.Effect<CommentPage, ValidationError>
    readonly listReplies: (grant: AccessGrant, page: ThreadPage) => Effect.Effect<ReplyPage, ValidationError>
    readonly get: (grant: AccessGrant) => Effect.Effect<Comment, NotFound>
    readonly getReply: (grant: AccessGrant) => Effect.Effect<Reply, NotFound>
    /** Own comments only; adds `edited_on`; no hook, no trigger. */
    readonly edit: (
      grant: AccessGrant,
      input: CommentInput
    ) => Effect.Effect<Comment, NotFound | Restricted | ValidationError>
    readonly editReply: (
      grant: AccessGrant,
      input: CommentInput
    ) => Effect.Effect<Reply, NotFound | Restricted | ValidationError>
    /** Own ones, or any for workspace admins; replies go too. */
    readonly remove: (grant: AccessGrant, switches: Switches) => Effect.Effect<void, NotFound | Restricted>
    readonly removeReply: (grant: AccessGrant) => Effect.Effect<void, NotFound | Restricted>
    /** Deletes a comment for an automation; `false` if it is deleted already. */
    readonly removeAs: (write: Write, commentId: number) => Effect.Effect<boolean>
    readonly removeReplyAs: (replyId: number) => Effect.Effect<boolean>
    /** Comment that an event names; `null` if it is deleted. */
    readonly find: (commentId: number) => Effect.Effect<CommentRow | null>
    readonly findReply: (replyId: number) => Effect.Effect<ReplyRow | null>
    readonly views: (rows: ReadonlyArray<CommentRow>) => Effect.Effect<ReadonlyArray<Comment>>
    readonly replyViews: (rows: ReadonlyArray<ReplyRow>) => Effect.Effect<ReadonlyArray<Reply>>
  }
>()("millrace/records/Comments") {
  static readonly layer = Layer.effect(
    Comments,
    Effect.gen(function* () {
      const sql = yield* Sql
      const files = yield* Files
      const atomic = transact(sql)
      const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
      const threads = yield* makeThreads
      const { commentRows, replyRows, checked, views, replyViews, lockRecord, announce, page } = threads
      const { find, findReply, get, getReply } = threads
      const changes = yield* makeCommentChanges(threads)

      const create = Effect.fn("Comments.create")(
        (write: Write, recordId: number, input: CommentInput) =>
          atomic(
            Effect.gen(function* () {
              const value = yield* checked(input)
              const record = yield* lockRecord(recordId)
              if (record.deleted_on !== null) return yield* new RecordDeleted({ recordId })
              const createdAt = yield* currentTime
              const row = yield* rowOf(MadeComment)(sql`
                INSERT INTO comments (record_id, app_id, value, created_on, created_by)
                VALUES (${recordId}, ${record.app_id}, ${value}, ${createdAt}, ${JSON.stringify(write.author)}::jsonb) RETURNING *`)
              yield* sql`UPDATE records SET comment_count = comment_count + 1 WHERE record_id = ${recordId}`
              const { comment_id } = row!
              yield* files.attach(write.caller, input.file_ids ?? [], { record_id: recordId, comment_id })
              yield* announce(
                write,
                { org_id: record.org_id, app_id: record.app_id, record_id: recordId },
                { type: "comment.create", payload: { comment_id, author: write.author } }
              )
              return { ...row!, org_id: record.org_id }
            })
          ),
        orSqlDefect
      )

      const reply = Effect.fn("Comments.reply")(
        (write: Write, commentId: number, input: CommentInput) =>
          atomic(
            Effect.gen(function* () {
              const value = yield* checked(input)
              const parent = yield* find(commentId)
              if (parent === null) return yield* new NotFound({ message: `No comment with id ${commentId}.` })
              const record = yield* lockRecord(parent.record_id)
              if (record.deleted_on !== null) return yield* new RecordDeleted({ recordId: parent.record_id })
              const countedRows =
                yield* sql`UPDATE comments SET reply_count = reply_count + 1 WHERE comment_id = ${commentId} RETURNING 1`
              if (countedRows.length === 0) return yield* new NotFound({ message: `No comment with id ${commentId}.` })
              const row = yield* rowOf(MadeReply)(sql`
                INSERT INTO replies (comment_id, value, created_on, created_by)
                VALUES (${commentId}, ${value}, ${yield* currentTime}, ${JSON.stringify(write.author)}::jsonb) RETURNING *`)
              const { reply_id } = row!
              const recordKeys = { org_id: record.org_id, app_id: record.app_id, record_id: parent.record_id }
              yield* files.attach(write.caller, input.file_ids ?? [], { record_id: parent.record_id, reply_id })
              yield* announce(write, recordKeys, {
                type: "reply.create",
                payload: { comment_id: commentId, reply_id, author: write.author }
              })
              return { ...row!, ...recordKeys }
            })
          ),
        orSqlDefect
      )

      const list = Effect.fn("Comments.list")(function* (grant: AccessGrant, request: ThreadPage) {
        const { total, cursor, shown } = yield* page(
          `record/${grant.id}/comments`,
          request,
          countOf(sql`SELECT count(*)::int AS n FROM comments WHERE record_id = ${grant.id}`),
          (after, limit) =>
            rowsOf(CommentRow)(sql`
            ${commentRows} WHERE c.record_id = ${grant.id} AND c.comment_id > ${after} ORDER BY c.comment_id LIMIT ${limit}`),
          (row) => row.comment_id
        )
        return { total, cursor, comments: yield* views(shown) }
      })

      const listReplies = Effect.fn("Comments.listReplies")(function* (grant: AccessGrant, request: ThreadPage) {
        const { total, cursor, shown } = yield* page(
          `comment/${grant.id}/replies`,
          request,
          countOf(sql`SELECT count(*)::int AS n FROM replies WHERE comment_id = ${grant.id}`),
          (after, limit) =>
            rowsOf(ReplyRow)(sql`
            ${replyRows} WHERE x.comment_id = ${grant.id} AND x.reply_id > ${after} ORDER BY x.reply_id LIMIT ${limit}`),
          (row) => row.reply_id
        )
        return { total, cursor, replies: yield* replyViews(shown) }
      })

      return Comments.of({
        create,
        reply,
        list,
        listReplies,
        get,
        getReply,
        ...changes,
        find,
        findReply,
        views,
        replyViews
      })
    })
  )
}
