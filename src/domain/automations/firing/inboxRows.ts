// Rows of the mailbox of an app's automations: as they are written, and as a claim finds them with their event and automation (decisions A17).
import { Schema } from "effect"
import type { MailboxRow } from "../../../engine/actors/ActorKind.ts"
import type { Cause } from "../../../engine/outbox/Event.ts"
import { jsonb } from "../../../ground/sql/columns.ts"
import type { Sql } from "../../../ground/sql/Sql.ts"
import {
  KnownColumn,
  type KnownNow,
  type KnownRecord,
  KnownRights,
  knownColumn,
  knownOf
} from "../model/knownRecord.ts"
import type { TriggerType } from "../triggers/registry.ts"

/** A row for an event, as it has just been written. */
export interface WrittenRow {
  readonly event_id: number
  readonly automation_id: number
}

export interface InboxEvent extends MailboxRow {
  readonly row_id: number
  readonly event_id: number
  readonly automation_id: number
  readonly run_id: string | null
  readonly lane: number | null
  /** For a run that may be over as soon as it is there (./wholeFiring.ts): an id that nobody else gets. */
  readonly new_run_id: string | null
  /** The event's record, where the row is new and the record is there. */
  readonly record: KnownRecord | null
  /** Of the automation's author, where the claim is of rows that have only just been written, or of few for an activation that has nothing to do. */
  readonly rights: KnownNow["rights"]
  readonly event: {
    readonly type: string
    readonly record_id: number | null
    readonly depth: number
    readonly cause: Cause | null
    readonly payload: any
    readonly created_on: Date
    readonly traceparent: string | null
  }
  /** Null: the automation is gone for good. */
  readonly automation: {
    readonly revision_id: string
    readonly paused: boolean
    readonly broken: boolean
    readonly deleted: boolean
    readonly trigger_type: TriggerType | null
    readonly workspace_id: number
    readonly author_active: boolean
    readonly debounce_ms: number | null
  } | null
}

/** What a claim says of the author's rights is asked for again behind so long. */
const FOUND_MILLIS = 20

export const Claimed = Schema.Struct({
  row_id: Schema.Int,
  claims: Schema.Int,
  event_id: Schema.Int,
  automation_id: Schema.Int,
  run_id: Schema.NullOr(Schema.String),
  lane: Schema.NullOr(Schema.Int),
  type: Schema.String,
  new_run_id: Schema.NullOr(Schema.String),
  record_id: Schema.NullOr(Schema.Int),
  record: Schema.NullOr(KnownColumn),
  rights: Schema.NullOr(KnownRights),
  depth: Schema.Int,
  cause: Schema.NullOr(jsonb<Cause>()),
  payload: Schema.Any,
  created_on: Schema.Date,
  traceparent: Schema.NullOr(Schema.String),
  automation: Schema.NullOr(jsonb<NonNullable<InboxEvent["automation"]>>())
})

/**
 * Columns of `Claimed`, all but `record` and `rights`: of rows `c` of the mailbox, their event `e`, and `automationsOfClaimed`.
 * @param ordinary ids of revisions whose runs cannot be whole in one statement: they get no new id
 */
export const claimedColumns = (sql: Sql, ordinary: unknown) => sql`
  c.row_id, c.claims, c.event_id, c.automation_id, c.run_id::text, c.lane,
  CASE WHEN c.run_id IS NULL AND a.revision_id NOT IN (SELECT unnest(${ordinary}::text[]::bigint[]))
    THEN nextval('runs_run_id_seq')::text END AS new_run_id,
  e.type, e.record_id, e.depth, e.cause, e.payload, e.created_on, e.traceparent,
  CASE WHEN a.automation_id IS NULL THEN NULL ELSE jsonb_build_object(
    'revision_id', a.revision_id::text, 'paused', a.paused, 'broken', a.broken,
    'deleted', a.deleted_on IS NOT NULL, 'trigger_type', a.trigger_type, 'workspace_id', p.workspace_id,
    'author_active', u.status = 'active', 'debounce_ms', a.debounce_ms) END AS automation`

export const automationsOfClaimed = (sql: Pick<Sql, "literal">) =>
  sql.literal("automations a JOIN apps p USING (app_id) JOIN users u ON u.user_id = a.owner_id")

/** `Claimed.record` of a record `r` and its app `ra`, which may not be there. */
export const knownRecord = (sql: Sql) => sql`CASE WHEN r.record_id IS NOT NULL THEN ${knownColumn(sql)} END`

/** Where the fence is held and nothing is due, one row says so. */
export const ClaimedOrNone = Schema.Union([Claimed, Schema.Struct({ row_id: Schema.Null })])

/** Of a claim's row, for a claim that was asked for at `now`. */
export const inboxEventOf =
  (now: Date) =>
  (claimed: typeof ClaimedOrNone.Type): ReadonlyArray<InboxEvent> => {
    if (claimed.row_id === null) return []
    const { cause, created_on, depth, payload, record, record_id, rights, traceparent, type, ...row } = claimed
    const event = { type, record_id, depth, cause, payload, created_on, traceparent }
    const until = now.getTime() + FOUND_MILLIS
    return [{ ...row, record: record && knownOf(record), rights: rights && { rights, until }, event }]
  }
