// Inserts deliveries into the log and the queue (decisions W3, W5), blocked by open deliveries of the same record. Locks and splits before what
// they come behind, so that first attempts keep the order of their record.
import type { Statement } from "effect/sql"
import { compiledOnce, slotsOf } from "../../platform/sql/compiledOnce.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { unbundleRecords } from "./bundles/unbundle.ts"

/** Delivery to be queued, or to be put in a bundle. */
export interface OfRecord {
  readonly hook_id: number
  readonly app_id: number
  readonly record_id: number | null
  readonly type: string
}

/** Delivery to be queued, or withheld. */
export interface NewDelivery extends OfRecord {
  readonly event_id: number
  readonly status: "queued" | "withheld"
  readonly payload: string
  readonly created_on: Date
  readonly traceparent: string | null
}

/** A record's creation comes after nothing. */
const CREATION = "record.create"

const mayBeBehind = ({ record_id, type }: OfRecord) => record_id !== null && type !== CREATION

/** Negation of `mayBeBehind` as an SQL condition on rows called `alias`. */
export const isBehindNothing = (alias: string) => `(${alias}.record_id IS NULL OR ${alias}.type = '${CREATION}')`

/** Deliveries `q` of the queue that a later one of its hook and record waits for, as SQL behind `FROM`. */
export const openOfRecord = (sql: Sql, hook: number | Statement.Fragment, record: Statement.Fragment) =>
  sql`webhook_queue q WHERE q.hook_id = ${hook} AND q.record_id = ${record} AND q.ordered`

/**
 * Condition on a row `q` of the queue, or `d` of the log: it is the delivery that a row of the table names. An array of one member leaves the planner
 * an index lookup for each row of the table. With `=` a plan made while all was empty compares each row of the queue with each of the table;
 * with an array in place of the event too, Postgres before 17 may read all of a hook for each.
 */
export const isNamedBy = (sql: Sql, table: string, row: "q" | "d" = "q") =>
  sql.literal(`${row}.hook_id = ANY(ARRAY[${table}.hook_id]) AND ${row}.event_id = ${table}.event_id`)

/**
 * Locks rows `q` of the queue in the order in which everybody locks them, as SQL behind `FROM`: those that the rows `x` of the table name.
 * Without one, the columns of `q` are null.
 */
export const lockedDeliveries = (
  sql: Sql,
  table: string,
  lock: "UPDATE" | "NO KEY UPDATE",
  condition = sql`true`
) => sql`
  (SELECT * FROM ${sql.literal(table)} ORDER BY hook_id, record_id, event_id) x LEFT JOIN LATERAL (
    SELECT q.* FROM webhook_queue q WHERE ${isNamedBy(sql, "x")} AND ${condition} FOR ${sql.literal(lock)}) q ON true`

/** Records that several events of a batch concern: their deliveries keep their order in the queue only. */
export const recordsOfSeveral = (events: ReadonlyArray<Pick<OfRecord, "record_id">>): ReadonlySet<number | null> => {
  const byRecord = Map.groupBy(events, ({ record_id }) => record_id)
  return new Set([...byRecord].flatMap(([id, { length }]) => (id !== null && length > 1 ? [id] : [])))
}

const appIds = (rows: ReadonlyArray<OfRecord>) => [...new Set(rows.map(({ app_id }) => String(app_id)))]

interface QueueingValues {
  /** Deliveries as JSON. */
  readonly rows: string
  readonly now: Date
}
const slots = slotsOf<QueueingValues>()

export const makeQueueDeliveries = (sql: Sql) => {
  /**
   * CTEs over a table `given (hook_id, event_id, app_id, record_id, type, status, payload, created_on, traceparent)`. Unique by hook and
   * event: existing rows stay as they are.
   */
  const queued = (now: unknown) => sql`
    logged AS (
      INSERT INTO webhook_deliveries (hook_id, event_id, record_id, type, status, payload, created_on, traceparent, withheld_on)
      SELECT hook_id, event_id, record_id, type, status, payload, created_on, traceparent,
        CASE WHEN status = 'withheld' THEN ${now}::timestamptz END
      FROM given ON CONFLICT DO NOTHING
      RETURNING hook_id, event_id, record_id, type, status
    ), queued AS (
      INSERT INTO webhook_queue (hook_id, event_id, app_id, record_id, ordered, blocked, due_at)
      SELECT o.hook_id, o.event_id, (SELECT app_id FROM hooks h WHERE h.hook_id = o.hook_id), o.record_id, o.record_id IS NOT NULL,
        NOT ${sql.literal(isBehindNothing("o"))} AND (
          row_number() OVER (PARTITION BY o.hook_id, o.record_id ORDER BY o.event_id) > 1
          OR EXISTS (SELECT 1 FROM ${openOfRecord(sql, sql`o.hook_id`, sql`o.record_id`)})),
        ${now}
      FROM logged o WHERE o.status = 'queued'
    )`

  const compiled = compiledOnce<QueueingValues>(sql)
  const insertDeliveries = (rows: ReadonlyArray<NewDelivery>, now: Date) =>
    compiled(
      "queueing",
      { rows: JSON.stringify(rows), now },
      () => sql`
    WITH given AS (
      SELECT * FROM json_to_recordset(${slots.rows}::json)
        AS x(hook_id bigint, event_id bigint, app_id bigint, record_id bigint, type text, status text, payload text, created_on timestamptz,
          traceparent text)
    ), ${queued(slots.now)} SELECT 1`
    )

  /**
   * Locks the last delivery before each new one of its record. Its result has been committed by now, or it is committed after this
   * transaction and then sees the deliveries to release (resultStatements.ts).
   */
  const holdLast = (behind: ReadonlyArray<OfRecord>) => {
    const pairs = new Map(
      behind.map(({ hook_id, record_id }) => [`${hook_id} ${record_id}`, { hook_id, record_id: record_id! }])
    )
    const inOrder = [...pairs.values()].sort((a, b) => a.hook_id - b.hook_id || a.record_id - b.record_id)
    return sql`
        SELECT 1 FROM jsonb_to_recordset(${JSON.stringify(inOrder)}::jsonb) AS x(hook_id bigint, record_id bigint)
        CROSS JOIN LATERAL (
          SELECT 1 FROM ${openOfRecord(sql, sql`x.hook_id`, sql`x.record_id`)}
          ORDER BY q.event_id DESC LIMIT 1 FOR SHARE) last`
  }

  const unbundle = (rows: ReadonlyArray<OfRecord>) =>
    unbundleRecords(sql, appIds(rows), [...new Set(rows.flatMap(({ record_id }) => record_id ?? []))])

  /**
   * Locks the windows of apps, as in a claim: before rows of the queue. Inserts those that are not there yet, unused, since a first claim
   * inserts them too; the condition only locks a window that is there.
   */
  const holdWindows = (rows: ReadonlyArray<OfRecord>) => sql`
    INSERT INTO webhook_windows (app_id, window_start, used, cap)
    SELECT app_id, 'epoch', 0, 0 FROM unnest(${appIds(rows)}::bigint[]) AS a (app_id) ORDER BY app_id
    ON CONFLICT (app_id) DO UPDATE SET used = 0 WHERE false`

  /** Statements that precede the insertion of deliveries of which some may be behind others of their records. */
  const holdRecords = (rows: ReadonlyArray<OfRecord>, bundled: ReadonlyArray<OfRecord>) => {
    const behind = [...rows, ...bundled].filter(mayBeBehind)
    if (behind.length === 0) return []
    return [...(bundled.length === 0 ? [] : [holdWindows(bundled)]), unbundle(behind), holdLast(behind)]
  }

  return { queued, insertDeliveries, holdRecords }
}
