// From an event and an automation to a run, or none (developer-api.md 7.5, 7.11 rule 1; decisions A7): the trigger's own conditions,
// then the filter, judged on the record as it was at the event.
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { formatDateTime } from "../../dates.ts"
import type { Cause, CommentChange, OutboxEvent, RecordChange } from "../../outbox/Event.ts"
import type { Cursor } from "../plan.ts"
import { AUTOMATION_FIRE, type Fire } from "../triggers/fire.ts"
import type { TriggerType } from "../triggers/registry.ts"
import { triggers } from "../triggers/registry.ts"
import { Executions } from "./Executions.ts"
import { guarded } from "./guard.ts"
import type { NewRun } from "./NewRuns.ts"
import { goneRecord, RecordStates } from "./RecordStates.ts"
import { type Revision, Revisions } from "./Revisions.ts"
import type { Holder, LoadedRun, LogEntry } from "./Run.ts"
import type { CommentFacts, RecordState, RunType, TriggerData } from "./Scope.ts"
import { StepFailed } from "./Step.ts"
import { Filters } from "./Values.ts"

/** An automation as its mailbox row finds it. */
export interface Target extends Holder {
  readonly automation_id: number
  readonly org_id: number
  readonly app_id: number
  readonly revision_id: string
  readonly paused: boolean
  readonly broken: boolean
  readonly trigger_type: TriggerType | null
}

export type FiringEvent = Pick<
  OutboxEvent,
  "event_id" | "type" | "record_id" | "depth" | "cause" | "created_on" | "payload"
>

/** No run: why, in the words of `run_waits.refused`. */
export type Decision =
  | {
      readonly type: "none"
      readonly why: "mismatch" | "inactive" | "other_trigger" | "gone" | "too_deep"
      readonly wait_key: string | null
    }
  | { readonly type: "run"; readonly run: NewRun; readonly revision: Revision }

/** Chained runs stop beyond this depth (developer-api.md 7.5 rule 4). */
export const MAX_DEPTH = 10

const entry = (
  type: "trigger" | "filter",
  status: LogEntry["status"],
  label: string,
  message: string | null
): LogEntry => ({
  type,
  status,
  label,
  messages: message === null ? [] : [{ message, level: status === "failure" ? "error" : null }],
  action_id: null,
  record_id: null,
  detail: null
})

const chainOf = (cause: Cause | null): ReadonlyArray<number> => cause?.chain ?? []

export class Firing extends Context.Service<
  Firing,
  {
    /** @param seen records as the claim of the row has just found them */
    readonly decide: (
      rowId: number,
      event: FiringEvent,
      target: Target,
      seen: ReadonlyMap<number, RecordState>
    ) => Effect.Effect<Decision, SqlError>
  }
>()("millrace/automations/engine/Firing") {
  static readonly layer = Layer.effect(
    Firing,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const executions = yield* Executions
      const filters = yield* Filters
      const records = yield* RecordStates
      const revisions = yield* Revisions

      const recordOf = (target: Target, id: number | null, seen?: ReadonlyMap<number, RecordState>) => {
        const known = id === null ? null : seen?.get(id)
        return known !== undefined
          ? Effect.succeed(known)
          : Effect.map(records.byIds(target.org_id, [id!]), ([state]) => state ?? null)
      }

      /** The record at the event: what the event holds, over what never changes. */
      const atEvent = Effect.fnUntraced(function* (
        event: FiringEvent,
        target: Target,
        seen: ReadonlyMap<number, RecordState>
      ) {
        const change = event.payload as RecordChange
        const live =
          (yield* recordOf(target, event.record_id, seen)) ??
          (yield* goneRecord(event.record_id!, target.app_id, change.author))
        const touched = event.type !== "record.create" && event.type !== "record.delete"
        const record: RecordState = {
          ...live,
          cells: change.cells,
          revision: change.revision,
          title: change.title,
          last_modified_on: touched ? formatDateTime(event.created_on) : live.last_modified_on,
          last_modified_by: touched ? change.author : live.last_modified_by
        }
        const previous: RecordState | null =
          change.previous === undefined
            ? null
            : { ...live, cells: change.previous, revision: change.revision - 1, title: live.title }
        return { record, previous, changed: change.changed ?? null }
      })

      const commentOf = Effect.fnUntraced(function* (change: CommentChange) {
        const isReply = change.reply_id !== undefined
        const [row] = isReply
          ? yield* sql<{ value: string }>`SELECT value FROM replies WHERE reply_id = ${change.reply_id!}`
          : yield* sql<{ value: string }>`SELECT value FROM comments WHERE comment_id = ${change.comment_id}`
        const files = yield* isReply
          ? sql<{
              file_id: number
            }>`SELECT file_id FROM file_links WHERE reply_id = ${change.reply_id!} ORDER BY file_id`
          : sql<{ file_id: number }>`SELECT file_id FROM file_links WHERE comment_id = ${change.comment_id}
              AND reply_id IS NULL ORDER BY file_id`
        const facts: CommentFacts = {
          comment_id: change.comment_id,
          ...(isReply ? { reply_id: change.reply_id! } : {}),
          content: row?.value ?? "",
          created_by: change.author,
          attachments: files.map(({ file_id }) => file_id)
        }
        return facts
      })

      const retriedRun = (runId: string) =>
        Effect.map(
          sql<{ data: TriggerData; cursor: Cursor | null }>`
            SELECT t.data, r.cursor FROM runs r JOIN run_triggers t USING (run_id) WHERE run_id = ${runId}::bigint`,
          ([row]) => row ?? null
        )

      const latestComment = Effect.fnUntraced(function* (recordId: number) {
        const [row] = yield* sql<CommentChange & { reply_id: number | null }>`
          SELECT comment_id, reply_id, created_by AS author FROM (
            SELECT comment_id, NULL::bigint AS reply_id, created_by, created_on FROM comments WHERE record_id = ${recordId}
            UNION ALL
            SELECT c.comment_id, r.reply_id, r.created_by, r.created_on FROM replies r JOIN comments c USING (comment_id)
            WHERE c.record_id = ${recordId}
          ) AS all_of_them ORDER BY created_on DESC, reply_id DESC NULLS LAST, comment_id DESC LIMIT 1`
        if (row === undefined) return null
        const { reply_id, ...comment } = row
        return yield* commentOf(reply_id === null ? comment : { ...comment, reply_id })
      })

      const decide = Effect.fnUntraced(function* (
        rowId: number,
        event: FiringEvent,
        target: Target,
        seen: ReadonlyMap<number, RecordState>
      ) {
        const fire = event.type === AUTOMATION_FIRE ? (event.payload as unknown as Fire) : null
        const runType: RunType = fire?.run_type ?? "regular"
        const none = (why: Extract<Decision, { type: "none" }>["why"]): Decision => ({
          type: "none",
          why,
          wait_key: fire?.wait_key ?? null
        })
        if (target.deleted) return none("gone")
        const asked = runType !== "regular"
        if (target.broken || (target.paused && !asked && fire?.retry === undefined)) return none("inactive")
        if (fire?.expects != null && fire.expects !== target.trigger_type) return none("other_trigger")
        if (event.depth >= MAX_DEPTH) return none("too_deep")
        const revision = yield* revisions.get(fire?.revision_id ?? target.revision_id)
        if (revision === null) return none("gone")
        const unreadable = revision.unreadable
        const trigger = revision.definition.trigger

        let data: TriggerData = {
          type: trigger?.type ?? null,
          record: null,
          previous: null,
          changed: null,
          ...(fire?.data ?? {})
        }
        const retried = fire?.retry === undefined ? null : yield* retriedRun(fire.retry.run_id)
        if (retried !== null) data = retried.data
        else if (fire !== null) {
          const record = yield* recordOf(target, event.record_id, seen)
          const context = trigger === null ? "none" : triggers[trigger.type].context
          if (context !== "none" && (record === null || record.app_id !== target.app_id)) return none("gone")
          data = { ...data, record }
          if (trigger?.type === "record_comment_or_reply_created") {
            const comment = yield* latestComment(event.record_id!)
            if (comment === null) return none("gone")
            data = { ...data, comment }
          }
          if ((trigger?.type === "automation_called" || trigger?.type === "weblink_clicked") && !asked) {
            const { triggering_app_ids, triggering_app_ids_enabled } = trigger.config
            if (triggering_app_ids_enabled) {
              const initiator = yield* recordOf(target, data.triggering_record_id ?? null)
              if (initiator === null || !triggering_app_ids.includes(initiator.app_id)) return none("mismatch")
            }
          }
        } else if (event.type.startsWith("record.")) {
          data = { ...data, ...(yield* atEvent(event, target, seen)) }
          // The definition may have changed since the fan-out.
          if (trigger?.type === "record_updated") {
            const fields = trigger.config.trigger_on_changes_field_ids
            if (fields !== null && !fields.some((id) => data.changed?.includes(id) === true)) return none("mismatch")
          }
        } else {
          const record = yield* recordOf(target, event.record_id, seen)
          if (record === null) return none("gone")
          data = { ...data, record, comment: yield* commentOf(event.payload as CommentChange) }
        }

        const filteringOn = new Date(yield* Clock.currentTimeMillis)
        const base = {
          row_id: rowId,
          event_id: event.event_id,
          org_id: target.org_id,
          app_id: target.app_id,
          automation_id: target.automation_id,
          revision_id: revision.revision_id,
          type: runType,
          durable: asked || fire?.retry !== undefined || fire?.linked === true || !revision.plan.plain,
          cursor: fire?.retry?.from === "failed_step" ? (retried?.cursor ?? null) : revision.plan.first,
          takes_over: fire?.retry?.from === "failed_step",
          record_id: data.record?.record_id ?? null,
          record_revision: data.record?.revision ?? null,
          triggered_by_automation_id: fire?.triggered_by_automation_id ?? event.cause?.automation_id ?? null,
          retry_of_run_id: fire?.retry?.run_id ?? null,
          root_run_id: event.cause?.root_run_id ?? null,
          depth: event.depth + 1,
          chain: chainOf(event.cause),
          trigger: data,
          wait_key: fire?.wait_key ?? null,
          filtering_on: filteringOn.toISOString()
        }
        const started = entry(
          "trigger",
          "success",
          trigger === null ? "Manual run" : triggers[trigger.type].label,
          null
        )
        if (unreadable !== null) {
          // Broken since the last release; nothing of it is judged.
          const logs = [started, entry("filter", "failure", "Definition", unreadable)]
          const failure = { reason: "actions_setup_failed" as const, message: unreadable }
          return { type: "run", run: { ...base, logs, failure }, revision } as Decision
        }
        const unfiltered = runType === "simulation" || fire?.retry?.from === "failed_step"
        if (unfiltered || revision.definition.filter === null) {
          const run: NewRun = { ...base, logs: [started], failure: null }
          return { type: "run", run, revision } as Decision
        }
        const execution = executions.make(shadow(base, target, data), revision)
        const scope = { ...execution.scope(filteringOn, []), current: Effect.succeed(data.record) }
        const matches = yield* guarded(filters.matches(revision.definition.filter, scope)).pipe(
          Effect.catchTag("StepFailed", (error) => Effect.succeed(error))
        )
        if (matches === false) return none("mismatch")
        const run: NewRun =
          matches instanceof StepFailed
            ? {
                ...base,
                logs: [started, entry("filter", "failure", "Filter", matches.message)],
                failure: { reason: matches.reason ?? "filters_failed", message: matches.message }
              }
            : { ...base, logs: [started, entry("filter", "success", "Filter", null)], failure: null }
        return { type: "run", run, revision } as Decision
      })

      return Firing.of({ decide })
    })
  )
}

/** The run as it would be, for the scope of its filter. */
const shadow = (base: Omit<NewRun, "logs" | "failure">, target: Target, trigger: TriggerData): LoadedRun => ({
  run: {
    ...base,
    run_id: "0",
    status: "pending",
    fence: 0,
    wait_until: null,
    cancel_requested_on: null,
    log_seq: 0,
    credits: 0,
    executed_ms: 0,
    most_recent_error: null,
    created_on: new Date(base.filtering_on),
    started_on: null
  },
  holder: target,
  trigger
})
