// Rows of the mailbox of an app's automations: as they are written, and as a claim finds them with their event and automation (decisions A17).
import { Schema } from "effect"
import type { MailboxRow } from "../../../engine/actors/ActorKind.ts"
import type { Cause } from "../../../engine/outbox/Event.ts"
import { jsonb } from "../../../ground/sql/columns.ts"
import { KnownColumn, type KnownNow, type KnownRecord, KnownRights, knownOf } from "../model/knownRecord.ts"
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
  /** Of the automation's author, where the row has only just been written and the claim is of such rows. */
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

const Claimed = Schema.Struct({
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
