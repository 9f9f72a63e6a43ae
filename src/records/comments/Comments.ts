// Comments on records and replies to them, two levels (developer-api.md 5). Commenting adds no record revision.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { AccessGrant } from "../../accounts/Access.ts"
import { Cursors } from "../../Cursors.ts"
import { formatDateTime } from "../../dates.ts"
import { NotFound, RecordDeleted, RecordNotFound, Restricted, ValidationError } from "../../errors.ts"
import type { EventBody, Switches } from "../../outbox/Event.ts"
import { Outbox } from "../../outbox/Outbox.ts"
import { noMentions } from "../fields/FieldType.ts"
import { Files } from "../files/Files.ts"
import { Lookups } from "../Lookups.ts"
import type { Write } from "../record.ts"
import { mentionAuthor, renderAuthor } from "../render.ts"
import { transact } from "../transact.ts"
import {
  type Comment,
  type CommentInput,
  type CommentRow,
  maximumLength,
  type Reply,
  type ReplyRow
} from "./Comment.ts"

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
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | undefined
}

export const pageLimits = { default: 50, max: 100 } as const

export class Comments extends Context.Service<
  Comments,
  {
    /** On a live record; for automations too, in their transaction. */
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
    readonly list: (grant: AccessGrant, page: PageRequest) => Effect.Effect<CommentPage, ValidationError>
    readonly listReplies: (grant: AccessGrant, page: PageRequest) => Effect.Effect<ReplyPage, ValidationError>
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
    /** For automations: `false` when it is gone already. */
    readonly removeAs: (write: Write, commentId: number) => Effect.Effect<boolean>
    readonly removeReplyAs: (replyId: number) => Effect.Effect<boolean>
    /** Of a comment or reply that an event names; `null` when it is gone. */
    readonly find: (commentId: number) => Effect.Effect<CommentRow | null>
    readonly findReply: (replyId: number) => Effect.Effect<ReplyRow | null>
    readonly views: (rows: ReadonlyArray<CommentRow>) => Effect.Effect<ReadonlyArray<Comment>>
    readonly replyViews: (rows: ReadonlyArray<ReplyRow>) => Effect.Effect<ReadonlyArray<Reply>>
  }
>()("millrace/records/Comments") {
  static readonly layer = Layer.effect(
    Comments,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox
      const lookups = yield* Lookups
      const files = yield* Files
      const cursors = yield* Cursors
      const atomic = transact(sql)
      const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
      const commentRows = sql`SELECT c.*, r.org_id FROM comments c JOIN records r USING (record_id)`
      const replyRows = sql`
        SELECT x.*, c.record_id, c.app_id, r.org_id FROM replies x JOIN comments c USING (comment_id) JOIN records r USING (record_id)`

      const checked = Effect.fnUntraced(function* ({ value }: CommentInput) {
        if (value.trim() === "") return yield* new ValidationError({ message: "value: must not be empty." })
        if (value.length > maximumLength) {
          return yield* new ValidationError({ message: `value: at most ${maximumLength} characters.` })
        }
        return value
      })

      const authored = Effect.fnUntraced(function* <Row extends CommentRow | ReplyRow>(rows: ReadonlyArray<Row>) {
        const mentions = noMentions()
        for (const row of rows) mentionAuthor(row.created_by, mentions)
        const orgId = rows[0]?.org_id ?? 0
        const found = yield* lookups.forReading(orgId, mentions)
        return (row: Row) => {
          const author = renderAuthor(row.created_by, orgId, found)
          return {
            value: row.value,
            created_on: formatDateTime(row.created_on),
            ...(row.edited_on === null ? {} : { edited_on: formatDateTime(row.edited_on) }),
            created_by: author,
            user: author
          }
        }
      })

      const views = Effect.fnUntraced(function* (rows: ReadonlyArray<CommentRow>) {
        const shared = yield* authored(rows)
        const attached = yield* files.below(
          "comment",
          rows.map((row) => row.comment_id)
        )
        return rows.map(
          (row): Comment => ({
            comment_id: row.comment_id,
            ...shared(row),
            ref: { type: "record", id: row.record_id },
            files: attached.get(row.comment_id) ?? [],
            reply_count: row.reply_count
          })
        )
      })

      const replyViews = Effect.fnUntraced(function* (rows: ReadonlyArray<ReplyRow>) {
        const shared = yield* authored(rows)
        const attached = yield* files.below(
          "reply",
          rows.map((row) => row.reply_id)
        )
        return rows.map(
          (row): Reply => ({
            reply_id: row.reply_id,
            ...shared(row),
            ref: { type: "comment", id: row.comment_id },
            files: attached.get(row.reply_id) ?? []
          })
        )
      })

      // The record's row is locked before the outbox row is written: outbox ids are in order per record.
      const lockRecord = Effect.fnUntraced(function* (recordId: number) {
        const [record] = yield* sql<{ app_id: number; org_id: number; deleted_on: Date | null }>`
          SELECT app_id, org_id, deleted_on FROM records WHERE record_id = ${recordId} FOR NO KEY UPDATE`
        return record ?? (yield* new RecordNotFound({ recordId }))
      })

      const announce = (
        write: Pick<Write, "switches" | "depth" | "cause">,
        at: { org_id: number; app_id: number; record_id: number },
        body: EventBody
      ) => outbox.append([{ ...body, ...at, switches: write.switches, depth: write.depth, cause: write.cause }])

      const create = Effect.fn("Comments.create")(
        (write: Write, recordId: number, input: CommentInput) =>
          atomic(
            Effect.gen(function* () {
              const value = yield* checked(input)
              const record = yield* lockRecord(recordId)
              if (record.deleted_on !== null) return yield* new RecordDeleted({ recordId })
              const at = yield* now
              const [row] = yield* sql<Omit<CommentRow, "org_id">>`
                INSERT INTO comments (record_id, app_id, value, created_on, created_by)
                VALUES (${recordId}, ${record.app_id}, ${value}, ${at}, ${JSON.stringify(write.author)}::jsonb) RETURNING *`
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
        Effect.catchTag("SqlError", Effect.die)
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
              const counted =
                yield* sql`UPDATE comments SET reply_count = reply_count + 1 WHERE comment_id = ${commentId} RETURNING 1`
              if (counted.length === 0) return yield* new NotFound({ message: `No comment with id ${commentId}.` })
              const [row] = yield* sql<Omit<ReplyRow, "org_id" | "app_id" | "record_id">>`
                INSERT INTO replies (comment_id, value, created_on, created_by)
                VALUES (${commentId}, ${value}, ${yield* now}, ${JSON.stringify(write.author)}::jsonb) RETURNING *`
              const { reply_id } = row!
              const at = { org_id: record.org_id, app_id: record.app_id, record_id: parent.record_id }
              yield* files.attach(write.caller, input.file_ids ?? [], { record_id: parent.record_id, reply_id })
              yield* announce(write, at, {
                type: "reply.create",
                payload: { comment_id: commentId, reply_id, author: write.author }
              })
              return { ...row!, ...at }
            })
          ),
        Effect.catchTag("SqlError", Effect.die)
      )

      const find = Effect.fnUntraced(
        function* (commentId: number) {
          const [row] = yield* sql<CommentRow>`${commentRows} WHERE c.comment_id = ${commentId}`
          return row ?? null
        },
        Effect.catchTag("SqlError", Effect.die)
      )
      const findReply = Effect.fnUntraced(
        function* (replyId: number) {
          const [row] = yield* sql<ReplyRow>`${replyRows} WHERE x.reply_id = ${replyId}`
          return row ?? null
        },
        Effect.catchTag("SqlError", Effect.die)
      )
      const existing = Effect.fnUntraced(function* (grant: AccessGrant) {
        return (yield* find(grant.id)) ?? (yield* new NotFound({ message: `No comment with id ${grant.id}.` }))
      })
      const existingReply = Effect.fnUntraced(function* (grant: AccessGrant) {
        return (yield* findReply(grant.id)) ?? (yield* new NotFound({ message: `No reply with id ${grant.id}.` }))
      })

      const get = Effect.fn("Comments.get")((grant: AccessGrant) =>
        Effect.flatMap(existing(grant), (row) => Effect.map(views([row]), ([view]) => view!))
      )
      const getReply = Effect.fn("Comments.getReply")((grant: AccessGrant) =>
        Effect.flatMap(existingReply(grant), (row) => Effect.map(replyViews([row]), ([view]) => view!))
      )

      /** A page after the cursor's id, oldest first, with the total of the first page. */
      const page = Effect.fnUntraced(function* <Row>(
        listing: string,
        { limit, cursor }: PageRequest,
        count: Effect.Effect<ReadonlyArray<{ n: number }>, unknown>,
        rowsAfter: (id: number, limit: number) => Effect.Effect<ReadonlyArray<Row>, unknown>,
        idOf: (row: Row) => number
      ) {
        if (limit < 1 || limit > pageLimits.max)
          return yield* new ValidationError({ message: `limit: 1 to ${pageLimits.max}.` })
        const place = cursor === undefined ? undefined : yield* cursors.read(listing, cursor, Schema.Int)
        const total = place?.total ?? (yield* Effect.orDie(count))[0]!.n
        const rows = yield* Effect.orDie(rowsAfter(place?.position ?? 0, limit + 1))
        const shown = rows.slice(0, limit)
        const next =
          rows.length > limit ? yield* cursors.issue(listing, { total, position: idOf(shown.at(-1)!) }) : null
        return { total, cursor: next, shown }
      })

      const list = Effect.fn("Comments.list")(function* (grant: AccessGrant, request: PageRequest) {
        const { total, cursor, shown } = yield* page(
          `record/${grant.id}/comments`,
          request,
          sql<{ n: number }>`SELECT count(*)::int AS n FROM comments WHERE record_id = ${grant.id}`,
          (after, limit) => sql<CommentRow>`
            ${commentRows} WHERE c.record_id = ${grant.id} AND c.comment_id > ${after} ORDER BY c.comment_id LIMIT ${limit}`,
          (row) => row.comment_id
        )
        return { total, cursor, comments: yield* views(shown) }
      })

      const listReplies = Effect.fn("Comments.listReplies")(function* (grant: AccessGrant, request: PageRequest) {
        const { total, cursor, shown } = yield* page(
          `comment/${grant.id}/replies`,
          request,
          sql<{ n: number }>`SELECT count(*)::int AS n FROM replies WHERE comment_id = ${grant.id}`,
          (after, limit) => sql<ReplyRow>`
            ${replyRows} WHERE x.comment_id = ${grant.id} AND x.reply_id > ${after} ORDER BY x.reply_id LIMIT ${limit}`,
          (row) => row.reply_id
        )
        return { total, cursor, replies: yield* replyViews(shown) }
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
              const place = { record_id: row.record_id, comment_id: row.comment_id }
              yield* sql`UPDATE comments SET value = ${value}, edited_on = ${yield* now} WHERE comment_id = ${row.comment_id}`
              yield* refile(grant, input, place)
              return yield* get(grant)
            })
          ),
        Effect.catchTag("SqlError", Effect.die)
      )

      const editReply = Effect.fn("Comments.editReply")(
        (grant: AccessGrant, input: CommentInput) =>
          atomic(
            Effect.gen(function* () {
              const row = yield* existingReply(grant)
              if (!isOwn(grant, row)) return yield* ownOnly
              const value = yield* checked(input)
              const place = { record_id: row.record_id, reply_id: row.reply_id }
              yield* sql`UPDATE replies SET value = ${value}, edited_on = ${yield* now} WHERE reply_id = ${row.reply_id}`
              yield* refile(grant, input, place)
              return yield* getReply(grant)
            })
          ),
        Effect.catchTag("SqlError", Effect.die)
      )

      /** Files that are sent with an edit take the place of the former ones; none sent leaves them. */
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
        const gone = yield* sql`DELETE FROM comments WHERE comment_id = ${row.comment_id} RETURNING 1`
        if (gone.length === 0) return false
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
        const gone = yield* sql`DELETE FROM replies WHERE reply_id = ${row.reply_id} RETURNING 1`
        if (gone.length === 0) return false
        yield* sql`UPDATE comments SET reply_count = reply_count - 1 WHERE comment_id = ${row.comment_id}`
        return true
      })

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
        Effect.catchTag("SqlError", Effect.die)
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
        Effect.catchTag("SqlError", Effect.die)
      )
      const removeAs = Effect.fn("Comments.removeAs")(
        (write: Write, commentId: number) =>
          atomic(
            Effect.flatMap(find(commentId), (row) => (row === null ? Effect.succeed(false) : destroy(write, row)))
          ),
        Effect.catchTag("SqlError", Effect.die)
      )
      const removeReplyAs = Effect.fn("Comments.removeReplyAs")(
        (replyId: number) =>
          atomic(
            Effect.flatMap(findReply(replyId), (row) => (row === null ? Effect.succeed(false) : destroyReply(row)))
          ),
        Effect.catchTag("SqlError", Effect.die)
      )

      return Comments.of({
        create,
        reply,
        list,
        listReplies,
        get,
        getReply,
        edit,
        editReply,
        remove,
        removeReply,
        removeAs,
        removeReplyAs,
        find,
        findReply,
        views,
        replyViews
      })
    })
  )
}
