// Comments and replies that are changed or deleted (developer-api.md 5): one's own, or any by workspace admins.
import { Clock, Effect } from "effect"
import type { Switches } from "../../../engine/outbox/Event.ts"
import { Restricted } from "../../../platform/primitives/errors.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../platform/sql/transact.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { Files } from "../files/Files.ts"
import type { Write } from "../model/RecordRow.ts"
import type { CommentInput, CommentRow, ReplyRow } from "./Comment.ts"
import type { Threads } from "./threads.ts"

export const makeCommentChanges = Effect.fnUntraced(function* (threads: Threads) {
  const sql = yield* Sql
  const files = yield* Files
  const atomic = transact(sql)
  const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
  const { announce, checked, existing, existingReply, find, findReply, get, getReply, lockRecord } = threads

  /** Files sent with an edit replace the former ones; without files those stay. */
  const refile = Effect.fnUntraced(function* (
    grant: AccessGrant,
    { file_ids }: CommentInput,
    place: Parameters<typeof files.detach>[0]
  ) {
    if (file_ids === undefined) return
    yield* files.detach(place)
    yield* files.attach(grant.caller, file_ids, place)
  })

  const destroy = Effect.fnUntraced(function* (
    write: Pick<Write, "author" | "switches" | "depth" | "cause">,
    row: CommentRow
  ) {
    yield* lockRecord(row.record_id).pipe(Effect.catchTag("RecordNotFound", () => Effect.void))
    yield* sql`
      DELETE FROM file_links WHERE comment_id = ${row.comment_id}
        OR reply_id IN (SELECT reply_id FROM replies WHERE comment_id = ${row.comment_id})`
    const deletedRows = yield* sql`DELETE FROM comments WHERE comment_id = ${row.comment_id} RETURNING 1`
    if (deletedRows.length === 0) return false
    yield* sql`UPDATE records SET comment_count = comment_count - 1 WHERE record_id = ${row.record_id}`
    yield* announce(
      write,
      { org_id: row.org_id, app_id: row.app_id, record_id: row.record_id },
      { type: "comment.delete", payload: { comment_id: row.comment_id, author: write.author } }
    )
    return true
  })

  const destroyReply = Effect.fnUntraced(function* (row: ReplyRow) {
    yield* sql`DELETE FROM file_links WHERE reply_id = ${row.reply_id}`
    const deletedRows = yield* sql`DELETE FROM replies WHERE reply_id = ${row.reply_id} RETURNING 1`
    if (deletedRows.length === 0) return false
    yield* sql`UPDATE comments SET reply_count = reply_count - 1 WHERE comment_id = ${row.comment_id}`
    return true
  })

  const isOwn = (grant: AccessGrant, row: CommentRow | ReplyRow) =>
    row.created_by.type === "user" && row.created_by.user_id === grant.caller.userId
  const ownOnly = new Restricted({ message: "Only the author may change this." })

  const edit = Effect.fn("Comments.edit")(
    (grant: AccessGrant, input: CommentInput) =>
      atomic(
        Effect.gen(function* () {
          const row = yield* existing(grant)
          if (!isOwn(grant, row)) return yield* ownOnly
          const value = yield* checked(input)
          const target = { record_id: row.record_id, comment_id: row.comment_id }
          yield* sql`UPDATE comments SET value = ${value}, edited_on = ${yield* currentTime} WHERE comment_id = ${row.comment_id}`
          yield* refile(grant, input, target)
          return yield* get(grant)
        })
      ),
    orSqlDefect
  )

  const editReply = Effect.fn("Comments.editReply")(
    (grant: AccessGrant, input: CommentInput) =>
      atomic(
        Effect.gen(function* () {
          const row = yield* existingReply(grant)
          if (!isOwn(grant, row)) return yield* ownOnly
          const value = yield* checked(input)
          const target = { record_id: row.record_id, reply_id: row.reply_id }
          yield* sql`UPDATE replies SET value = ${value}, edited_on = ${yield* currentTime} WHERE reply_id = ${row.reply_id}`
          yield* refile(grant, input, target)
          return yield* getReply(grant)
        })
      ),
    orSqlDefect
  )

  const mayRemove = (grant: AccessGrant, row: CommentRow | ReplyRow) => isOwn(grant, row) || grant.level === 5
  const restricted = new Restricted({ message: "Only the author or a workspace admin may delete this." })

  const remove = Effect.fn("Comments.remove")(
    (grant: AccessGrant, switches: Switches) =>
      atomic(
        Effect.gen(function* () {
          const row = yield* existing(grant)
          if (!mayRemove(grant, row)) return yield* restricted
          yield* destroy({ author: grant.caller.author, switches, depth: 0, cause: null }, row)
        })
      ),
    orSqlDefect
  )
  const removeReply = Effect.fn("Comments.removeReply")(
    (grant: AccessGrant) =>
      atomic(
        Effect.gen(function* () {
          const row = yield* existingReply(grant)
          if (!mayRemove(grant, row)) return yield* restricted
          yield* destroyReply(row)
        })
      ),
    orSqlDefect
  )
  const removeAs = Effect.fn("Comments.removeAs")(
    (write: Write, commentId: number) =>
      atomic(Effect.flatMap(find(commentId), (row) => (row === null ? Effect.succeed(false) : destroy(write, row)))),
    orSqlDefect
  )
  const removeReplyAs = Effect.fn("Comments.removeReplyAs")(
    (replyId: number) =>
      atomic(Effect.flatMap(findReply(replyId), (row) => (row === null ? Effect.succeed(false) : destroyReply(row)))),
    orSqlDefect
  )

  return { edit, editReply, remove, removeReply, removeAs, removeReplyAs }
})
