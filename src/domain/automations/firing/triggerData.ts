// Reads the trigger data of an event, or the reason why it fires nothing (developer-api.md 7.5; decisions A7): the record at the time of
// the event, the comment, the triggering record's app.
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Author, CommentChange, OutboxEvent } from "../../../engine/outbox/Event.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { Fire } from "../model/fireCommand.ts"
import { atEvent, RecordStates } from "../model/RecordStates.ts"
import type { CommentFacts, RecordState, TriggerData } from "../model/RunScope.ts"
import type { Revision } from "../run/RevisionCache.ts"
import type { Holder } from "../run/RunRow.ts"
import { firesOnChange } from "../triggers/record_updated/firesOnChange.ts"
import { type TriggerType, triggers } from "../triggers/registry.ts"

/** Automation as the claim of its mailbox row reads it. */
export interface FiringTarget extends Holder {
  readonly automation_id: number
  readonly org_id: number
  readonly app_id: number
  readonly revision_id: string
  readonly paused: boolean
  readonly broken: boolean
  /** True if the automation has a concurrency limit. */
  readonly has_limit: boolean
  readonly trigger_type: TriggerType | null
  /** Milliseconds after the last change for which changes are coalesced (7.13). */
  readonly debounce_ms: number | null
}

export type FiringEvent = Pick<
  OutboxEvent,
  "event_id" | "type" | "record_id" | "depth" | "cause" | "created_on" | "payload"
>

/** Event that concerns an automation. */
interface Occurrence {
  readonly event: FiringEvent
  /** Null: the event is a change, not a command. */
  readonly fire: Fire | null
  readonly target: FiringTarget
  readonly trigger: Revision["definition"]["trigger"]
  /** Record of the event as the claim of the mailbox row has just read it. */
  readonly seen: RecordState | null
  /** True if a person started the run: the restriction to triggering apps does not apply. */
  readonly asked: boolean
}

type Found = Pick<TriggerData, "record"> & Partial<Pick<TriggerData, "previous" | "changed" | "comment">>

const Text = Schema.Struct({ value: Schema.String })

const FileId = Schema.Struct({ file_id: Schema.Int })

const LatestComment = Schema.Struct({
  comment_id: Schema.Int,
  reply_id: Schema.NullOr(Schema.Int),
  author: jsonb<Author>()
})

export const makeTriggerData = Effect.gen(function* () {
  const sql = yield* Sql
  const records = yield* RecordStates

  const recordOf = (target: FiringTarget, id: number | null, seen: RecordState | null = null) => {
    if (id === null || seen?.record_id === id) return Effect.succeed(id === null ? null : seen)
    return Effect.map(records.byIds(target.org_id, [id]), ([state]) => state ?? null)
  }

  const commentOf = Effect.fnUntraced(function* (change: CommentChange) {
    const isReply = change.reply_id !== undefined
    const [row] = isReply
      ? yield* rowsOf(Text)(sql`SELECT value FROM replies WHERE reply_id = ${change.reply_id!}`)
      : yield* rowsOf(Text)(sql`SELECT value FROM comments WHERE comment_id = ${change.comment_id}`)
    const files = yield* isReply
      ? rowsOf(FileId)(sql`SELECT file_id FROM file_links WHERE reply_id = ${change.reply_id!} ORDER BY file_id`)
      : rowsOf(FileId)(sql`SELECT file_id FROM file_links WHERE comment_id = ${change.comment_id}
          AND reply_id IS NULL ORDER BY file_id`)
    const facts: CommentFacts = {
      comment_id: change.comment_id,
      ...(isReply ? { reply_id: change.reply_id! } : {}),
      content: row?.value ?? "",
      created_by: change.author,
      attachments: files.map(({ file_id }) => file_id)
    }
    return facts
  })

  const latestComment = Effect.fnUntraced(function* (recordId: number) {
    const row = yield* rowOf(LatestComment)(sql`
      SELECT comment_id, reply_id, created_by AS author FROM (
        SELECT comment_id, NULL::bigint AS reply_id, created_by, created_on FROM comments WHERE record_id = ${recordId}
        UNION ALL
        SELECT c.comment_id, r.reply_id, r.created_by, r.created_on FROM replies r JOIN comments c USING (comment_id)
        WHERE c.record_id = ${recordId}
      ) AS all_of_them ORDER BY created_on DESC, reply_id DESC NULLS LAST, comment_id DESC LIMIT 1`)
    if (row === undefined) return null
    const { reply_id, ...comment } = row
    return yield* commentOf(reply_id === null ? comment : { ...comment, reply_id })
  })

  const fired = Effect.fnUntraced(function* ({ event, asked, target, trigger, seen }: Occurrence, { data }: Fire) {
    const record = yield* recordOf(target, event.record_id, seen)
    const context = trigger === null ? "none" : triggers[trigger.type].context
    // A failed run that causes a call may have had no record, or its record may be deleted.
    const needed = context !== "none" && data?.failed_run_id === undefined
    if (needed && record === null) return "gone"
    if (context !== "none" && record !== null && record.app_id !== target.app_id) return "gone"
    if (trigger?.type === "record_comment_or_reply_created") {
      const comment = yield* latestComment(event.record_id!)
      return comment === null ? "gone" : { record, comment }
    }
    if ((trigger?.type === "automation_called" || trigger?.type === "weblink_clicked") && !asked) {
      const { triggering_app_ids, triggering_app_ids_enabled } = trigger.config
      if (triggering_app_ids_enabled) {
        const initiator = yield* recordOf(target, data?.triggering_record_id ?? null)
        if (initiator === null || !triggering_app_ids.includes(initiator.app_id)) return "mismatch"
      }
    }
    return { record }
  })

  return Effect.fnUntraced(function* (occurrence: Occurrence): Effect.fn.Return<Found | "gone" | "mismatch", SqlError> {
    const { event, fire, target, trigger, seen } = occurrence
    if (fire !== null) return yield* fired(occurrence, fire)
    if (event.type.startsWith("record.")) {
      const live = yield* recordOf(target, event.record_id, seen)
      const eventData = yield* atEvent({ ...event, app_id: target.app_id }, live)
      // The definition may have changed after the fan-out.
      const fields = trigger?.type === "record_updated" ? trigger.config.trigger_on_changes_field_ids : null
      return firesOnChange(fields, eventData.changed) ? eventData : "mismatch"
    }
    const record = yield* recordOf(target, event.record_id, seen)
    return record === null ? "gone" : { record, comment: yield* commentOf(event.payload as CommentChange) }
  })
})
