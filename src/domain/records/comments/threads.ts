// Shared parts of comments and replies: rows, rendering, paging and deletion (developer-api.md 1.4, 5).
import { Effect, Schema } from "effect"
import type { EventBody } from "../../../engine/outbox/Event.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { NotFound, RecordNotFound, ValidationError } from "../../../platform/primitives/errors.ts"
import { Cursors } from "../../../platform/sealing/Cursors.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { isLonger, spelled } from "../fields/input/characters.ts"
import { noMentions } from "../fields/model/Field.ts"
import { Files } from "../files/Files.ts"
import { Lookups } from "../model/Lookups.ts"
import type { Write } from "../model/RecordRow.ts"
import { mentionAuthor, renderAuthor } from "../reading/render.ts"
import { type Comment, type CommentInput, CommentRow, maximumLength, type Reply, ReplyRow } from "./Comment.ts"

export interface ThreadPage {
  readonly limit: number
  readonly cursor: string | undefined
}

export const threadLimits = { default: 50, max: 100 } as const

const LockedRecord = Schema.Struct({
  app_id: Schema.Int,
  org_id: Schema.Int,
  deleted_on: Schema.NullOr(Schema.Date)
})

export const makeThreads = Effect.gen(function* () {
  const sql = yield* Sql
  const outbox = yield* Outbox
  const lookups = yield* Lookups
  const files = yield* Files
  const cursors = yield* Cursors
  const commentRows = sql`SELECT c.*, r.org_id FROM comments c JOIN records r USING (record_id)`
  const replyRows = sql`
    SELECT x.*, c.record_id, c.app_id, r.org_id FROM replies x JOIN comments c USING (comment_id) JOIN records r USING (record_id)`

  const checked = Effect.fnUntraced(function* ({ value }: CommentInput) {
    if (value.trim() === "") return yield* new ValidationError({ message: "value: must not be empty." })
    if (isLonger(value, maximumLength)) {
      return yield* new ValidationError({ message: `value: at most ${maximumLength} characters.` })
    }
    return spelled(value)
  })

  const authored = Effect.fnUntraced(function* <Row extends CommentRow | ReplyRow>(rows: ReadonlyArray<Row>) {
    const mentions = noMentions()
    for (const row of rows) mentionAuthor(row.created_by, mentions)
    const orgId = rows[0]?.org_id ?? 0
    const facts = yield* lookups.forReading(orgId, mentions)
    return (row: Row) => {
      const author = renderAuthor(row.created_by, orgId, facts)
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
    const record = yield* rowOf(LockedRecord)(sql`
      SELECT app_id, org_id, deleted_on FROM records WHERE record_id = ${recordId} FOR NO KEY UPDATE`)
    return record ?? (yield* new RecordNotFound({ recordId }))
  })

  const announce = (
    write: Pick<Write, "switches" | "depth" | "cause">,
    at: { org_id: number; app_id: number; record_id: number },
    body: EventBody
  ) => outbox.append([{ ...body, ...at, switches: write.switches, depth: write.depth, cause: write.cause }])

  const find = Effect.fnUntraced(function* (commentId: number) {
    const row = yield* rowOf(CommentRow)(sql`${commentRows} WHERE c.comment_id = ${commentId}`)
    return row ?? null
  }, orSqlDefect)
  const findReply = Effect.fnUntraced(function* (replyId: number) {
    const row = yield* rowOf(ReplyRow)(sql`${replyRows} WHERE x.reply_id = ${replyId}`)
    return row ?? null
  }, orSqlDefect)
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
    { limit, cursor }: ThreadPage,
    count: Effect.Effect<number, unknown>,
    rowsAfter: (id: number, limit: number) => Effect.Effect<ReadonlyArray<Row>, unknown>,
    idOf: (row: Row) => number
  ) {
    if (limit < 1 || limit > threadLimits.max)
      return yield* new ValidationError({ message: `limit: 1 to ${threadLimits.max}.` })
    const cursorState = cursor === undefined ? undefined : yield* cursors.read(listing, cursor, Schema.Int)
    const total = cursorState?.total ?? (yield* Effect.orDie(count))
    const rows = yield* Effect.orDie(rowsAfter(cursorState?.position ?? 0, limit + 1))
    const pageRows = rows.slice(0, limit)
    const next = rows.length > limit ? yield* cursors.issue(listing, { total, position: idOf(pageRows.at(-1)!) }) : null
    return { total, cursor: next, shown: pageRows }
  })

  return {
    commentRows,
    replyRows,
    checked,
    views,
    replyViews,
    lockRecord,
    announce,
    find,
    findReply,
    existing,
    existingReply,
    page,
    get,
    getReply
  }
})
export type Threads = Effect.Success<typeof makeThreads>
