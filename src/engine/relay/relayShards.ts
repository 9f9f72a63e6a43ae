// Divides the outbox into shards by app, which keeps the order by record: one relay at a time works a shard, over all processes. A relay
// takes the locks of shards for one transaction: if it ends, is stopped or loses its connection, they are free at once.
import { Effect, Schema, Struct } from "effect"
import type { Statement } from "effect/sql"
import { RELAY_LOCK, SHARD_LOCK } from "../../platform/sql/advisoryLocks.ts"
import { compiledOnce, slotsOf } from "../../platform/sql/compiledOnce.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { setBatchVariables } from "../actors/batchVariables.ts"
import { OutboxRow } from "./OutboxRow.ts"

const SHARDS = 64
/** Most events that come with the locks; more than that are read by a statement behind it. */
const FEW = 16
/** Number of batches whose oldest events are searched for shards: as many relays can work side by side. */
const BATCHES_SEEN = 8
/**
 * Most bytes of a batch's events as they are stored, which is cheap to look up; the first event comes whatever its size. Repetitive
 * payloads are stored in a ninetieth: as text no batch has much more than a hundred megabytes.
 */
const BYTES = 1024 * 1024

const Taken = Schema.Struct({
  /** True if relays of this release may work at all. */
  open: Schema.Boolean,
  /** Shards that the relay holds now, the one with the oldest event first. */
  shards: Schema.Array(Schema.Int),
  /** Number of shards with events among those seen. */
  waiting: Schema.Int,
  /** Oldest and newest event id of all that were seen. */
  oldest: Schema.NullOr(Schema.Int),
  newest: Schema.NullOr(Schema.Int),
  /** True if there may be more events behind the newest. */
  more: Schema.Boolean,
  /** Attempts at a batch that began with this shard and did not end. */
  tries: Schema.Int
})

/** Row per event; a single one without an event where there is none. */
const TakenEvent = Schema.Struct({ ...Taken.fields, ...Struct.map(OutboxRow.fields, Schema.NullOr) })
type TakenEvent = typeof TakenEvent.Type

const hasEvent = (row: TakenEvent): row is typeof Taken.Type & OutboxRow => row.event_id !== null

/** Name under which attempts at a batch are counted: that of the shard with its oldest event. */
export const nameOf = (shards: ReadonlyArray<number>) => `batch from shard ${shards[0]}`

/** Extent of the events that a look saw. */
type SeenEvents = Pick<typeof Taken.Type, "more" | "newest" | "oldest">
const EVERY: SeenEvents = { oldest: null, newest: null, more: false }

interface Look {
  /** Least id of an event that it sees (outboxLowWatermark.ts). */
  readonly from: number
}
const lookSlots = slotsOf<Look>()

/** @param batch most events that are taken at once */
export const makeShards = (sql: Sql, batch: number, idleInTransactionMillis: number) => {
  const shardOf = sql.literal(`(coalesce(app_id, org_id) % ${SHARDS})::int`)
  const scannedRows = sql.literal(String(batch * BATCHES_SEEN))
  const few = sql.literal(String(FEW))
  const bytes = sql.literal(String(BYTES))
  const size = sql.literal("pg_column_size(payload)")
  const shardLock = sql.literal(String(SHARD_LOCK))
  const columns = sql`event_id, type, org_id, app_id, record_id, hook, workflow, silent, depth, cause, payload, traceparent, attempts,
    created_on, ${shardOf} AS shard`

  // Does not wait for the disk on commit: if a crash of the database forgets a batch, everything after it is forgotten too and fanned out
  // again.
  const openColumns = sql`pg_try_advisory_xact_lock_shared(${sql.literal(String(RELAY_LOCK))}) AS open, set_config('synchronous_commit', 'off', true)`
  const beginColumns = sql`${openColumns},
    set_config('idle_in_transaction_session_timeout', ${sql.literal(`'${idleInTransactionMillis}'`)}, true)`

  const compiled = compiledOnce<Look>(sql)
  /**
   * Takes shards; the first statement in a transaction. If there is more than a batch it takes a part of the shards, those with the oldest
   * events. The events are locked as they are read: one that another relay has moved since this statement began does not appear.
   */
  const taking = () => sql`
      WITH gate AS MATERIALIZED (SELECT ${beginColumns}),
      seen AS MATERIALIZED (
        SELECT event_id, ${shardOf} AS shard FROM outbox
        WHERE set_aside IS NULL AND event_id >= ${lookSlots.from} ORDER BY event_id LIMIT ${scannedRows}
      ), extent AS MATERIALIZED (SELECT min(event_id) AS oldest, max(event_id) AS newest, count(*) AS events FROM seen),
      waiting AS MATERIALIZED (SELECT shard, min(event_id) AS oldest FROM seen GROUP BY shard ORDER BY oldest),
      taken AS MATERIALIZED (
        SELECT shard FROM waiting
        WHERE CASE WHEN (SELECT open FROM gate) THEN pg_try_advisory_xact_lock(${shardLock}, shard) ELSE false END
        LIMIT (SELECT ceil(least(count(*), count(*) * ${sql.literal(String(batch))} / nullif((SELECT events FROM extent), 0)::numeric)) FROM waiting)
      ), few AS MATERIALIZED (
        SELECT ${columns} FROM outbox
        WHERE set_aside IS NULL AND event_id >= (SELECT oldest FROM extent) AND ${shardOf} = ANY(ARRAY(SELECT shard FROM taken))
        ORDER BY event_id LIMIT ${sql.literal(String(FEW + 1))} FOR UPDATE
      ), few_fit AS MATERIALIZED (SELECT count(*) <= ${few} AND sum(${size}) <= ${bytes} AS fit FROM few
      ), said AS MATERIALIZED (${setBatchVariables(sql, sql`few WHERE (SELECT fit FROM few_fit)`)})
      SELECT gate.open, ARRAY(SELECT shard FROM taken) AS shards, (SELECT count(*)::int FROM waiting) AS waiting,
        extent.oldest, extent.newest, extent.events = ${scannedRows} AS more,
        coalesce((SELECT tries FROM relay_attempts WHERE name = 'batch from shard ' || (SELECT shard FROM taken LIMIT 1)), 0) AS tries, few.*
      FROM gate CROSS JOIN extent CROSS JOIN said LEFT JOIN few ON (SELECT fit FROM few_fit) ORDER BY few.event_id`
  const take = (from: number) =>
    Effect.map(rowsOf(TakenEvent)(compiled("take", { from }, taking)), (rows) => {
      const firstRow: typeof Taken.Type = rows[0]!
      const events = rows.filter(hasEvent)
      return { ...firstRow, events: firstRow.more || events.length === 0 ? undefined : events }
    })

  /**
   * Events in order: the first, and as many behind it as fit. Sets the batch's session variables, as `take` does for events that come with
   * the locks.
   */
  const eventsWhere = (condition: Statement.Fragment) =>
    rowsOf(OutboxRow)(sql`
      WITH oldest AS MATERIALIZED (
        SELECT ${columns} FROM outbox WHERE set_aside IS NULL AND ${condition} ORDER BY event_id LIMIT ${batch}
      ), weighed AS (SELECT *, sum(${size}) OVER (ORDER BY event_id) - ${size} AS before FROM oldest),
      events AS MATERIALIZED (SELECT * FROM weighed WHERE before < ${bytes}), said AS MATERIALIZED (${setBatchVariables(sql, sql`events`)})
      SELECT events.* FROM said CROSS JOIN events ORDER BY event_id`)

  /** Events of the given shards, among those that were seen; all of them, unless there are more behind the newest. */
  const eventsOf = (shards: ReadonlyArray<number>, { more, newest, oldest }: SeenEvents = EVERY) =>
    eventsWhere(sql`${shardOf} = ANY(${shards.map(String)}::int[]) AND event_id >= ${oldest ?? 0}::bigint
      AND event_id <= coalesce(${more ? newest : null}::bigint, ${sql.literal("9223372036854775807")})`)
  const eventOf = (id: number) => eventsWhere(sql`event_id = ${id}::bigint`)

  const One = Schema.Struct({ open: Schema.Boolean, shard: Schema.Boolean })
  /** Locks one shard in the caller's transaction: false while another relay has it. */
  const takeOne = (shard: number) =>
    rowsOf(One)(sql`SELECT ${beginColumns}, pg_try_advisory_xact_lock(${SHARD_LOCK}, ${shard}) AS shard`).pipe(
      Effect.map((rows) => rows.some((row) => row.open && row.shard))
    )

  return { take, eventsOf, eventOf, takeOne }
}

export type Shards = ReturnType<typeof makeShards>
