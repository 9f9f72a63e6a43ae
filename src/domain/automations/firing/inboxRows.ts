// Mailbox rows of an app's automations: as a claim reads them with their event and automation (decisions A17), and as they are released and
// removed.
import { Clock, Effect, Schema } from "effect"
import type { Cause } from "../../../engine/outbox/Event.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import {
  KnownColumn,
  type KnownNow,
  type KnownRecord,
  KnownRights,
  knownColumn,
  knownOf
} from "../model/knownRecord.ts"
import { finishedRows } from "../run/runInserts.ts"
import { rowInLine } from "../run/slotStatements.ts"
import type { FiringTarget } from "./triggerData.ts"

/** Milliseconds for which the author's rights of a claim count as known. */
const FOUND_MILLIS = 20

const Claimed = Schema.Struct({
  row_id: Schema.Int,
  claims: Schema.Int,
  event_id: Schema.Int,
  automation_id: Schema.Int,
  run_id: Schema.NullOr(Schema.String),
  lane: Schema.NullOr(Schema.Int),
  type: Schema.String,
  /** Id that is reserved for a single-statement run (./singleStatementFiring.ts). */
  new_run_id: Schema.NullOr(Schema.String),
  record_id: Schema.NullOr(Schema.Int),
  record: Schema.NullOr(KnownColumn),
  rights: Schema.NullOr(KnownRights),
  depth: Schema.Int,
  cause: Schema.NullOr(jsonb<Cause>()),
  payload: Schema.Any,
  created_on: Schema.Date,
  traceparent: Schema.NullOr(Schema.String),
  /** Null: the automation was deleted for good. */
  automation: Schema.NullOr(jsonb<Omit<FiringTarget, "automation_id" | "org_id" | "app_id">>())
})

type EventColumns = "type" | "record_id" | "depth" | "cause" | "payload" | "created_on" | "traceparent"

export interface InboxEvent extends Omit<typeof Claimed.Type, EventColumns | "record" | "rights"> {
  /** Record of the event, if the row has no run yet and the record exists. */
  readonly record: KnownRecord | null
  /** Rights of the automation's author. A claim reads them for a few rows of an activation that has nothing in flight. */
  readonly rights: KnownNow["rights"]
  readonly event: Pick<typeof Claimed.Type, EventColumns>
}

/**
 * Columns of `Claimed`, all but `record` and `rights`, for mailbox rows `c`, their event `e`, and `automationsOfClaimed`.
 * @param ordinary ids of revisions whose runs cannot be single-statement runs: they get no new id
 */
export const claimedColumns = (sql: Sql, ordinary: unknown) => sql`
  c.row_id, c.claims, c.event_id, c.automation_id, c.run_id::text, c.lane,
  CASE WHEN c.run_id IS NULL AND a.revision_id NOT IN (SELECT unnest(${ordinary}::text[]::bigint[]))
    THEN nextval('runs_run_id_seq')::text END AS new_run_id,
  e.type, e.record_id, e.depth, e.cause, e.payload, e.created_on, e.traceparent,
  CASE WHEN a.automation_id IS NULL THEN NULL ELSE jsonb_build_object(
    'revision_id', a.revision_id::text, 'paused', a.paused, 'broken', a.broken, 'has_limit', a.concurrency IS NOT NULL,
    'deleted', a.deleted_on IS NOT NULL, 'trigger_type', a.trigger_type, 'workspace_id', p.workspace_id,
    'author_active', u.status = 'active', 'debounce_ms', a.debounce_ms) END AS automation`

export const automationsOfClaimed = (sql: Pick<Sql, "literal">) =>
  sql.literal("automations a JOIN apps p USING (app_id) JOIN users u ON u.user_id = a.owner_id")

/** Column `Claimed.record` for a record `r` and its app `ra`, either of which may be missing. */
export const knownRecord = (sql: Sql) => sql`CASE WHEN r.record_id IS NOT NULL THEN ${knownColumn(sql)} END`

/** A claimed row, or one row of null if the fence is valid and no row is due. */
export const ClaimedOrNone = Schema.Union([Claimed, Schema.Struct({ row_id: Schema.Null })])

/** Converts a row of a claim that was sent at `now`. */
export const inboxEventOf =
  (now: Date) =>
  (claimed: typeof ClaimedOrNone.Type): ReadonlyArray<InboxEvent> => {
    if (claimed.row_id === null) return []
    const { cause, created_on, depth, payload, record, record_id, rights, traceparent, type, ...row } = claimed
    const event = { type, record_id, depth, cause, payload, created_on, traceparent }
    const until = now.getTime() + FOUND_MILLIS
    return [{ ...row, record: record && knownOf(record), rights: rights && { rights, until }, event }]
  }

/** Statements that end the work on a claimed row. */
export const makeRowReleases = (sql: Sql) => {
  /** Releases the row until `dueAt`, a date or SQL over its columns. */
  const release = ({ row_id }: Pick<InboxEvent, "row_id">, dueAt: unknown) => sql`
    UPDATE automation_inbox SET due_at = ${dueAt}, fence = 0, claims = 0 WHERE row_id = ${String(row_id)}::bigint`

  const later = (row: InboxEvent, millis: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => release(row, new Date(now + millis)))

  /** Releases the row of a run that waits for a concurrency slot: it is due when the run is called, which may have happened just now. */
  const inLine = ({ row_id, run_id }: InboxEvent) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => rowInLine(sql, { row_id, run_id: run_id! }, now))

  /** Removes finished rows, and each event with its last row. */
  const remove = Effect.fnUntraced(function* (...rows: ReadonlyArray<Pick<InboxEvent, "row_id" | "event_id">>) {
    if (rows.length === 0) return
    const ids = rows.map(({ event_id, row_id }) => ({ event_id, row_id }))
    yield* sql`
      WITH finished AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(ids)}::jsonb) AS r (row_id bigint, event_id bigint)
        WHERE row_id + 0 = row_id),
      ${finishedRows(sql, "finished")} SELECT 1`
  })

  return { release, later, inLine, remove }
}
