// Locks and splits bundles before a fan-out adds deliveries of records that have open ones, so that first attempts keep the order of their
// record (decisions W3).
import type { Sql } from "../../platform/sql/Sql.ts"
import { KIND_NAME } from "./mailboxRows.ts"

/** Delivery to be queued, or to be put in a bundle. */
export interface OfRecord {
  readonly hook_id: number
  readonly app_id: number
  readonly record_id: number | null
  readonly type: string
}

/** A record's creation comes after nothing. */
const CREATION = "record.create"

export const mayBeBehind = ({ record_id, type }: OfRecord) => record_id !== null && type !== CREATION

/** Negation of `mayBeBehind` as an SQL condition on rows called `alias`. */
export const isBehindNothing = (alias: string) => `(${alias}.record_id IS NULL OR ${alias}.type = '${CREATION}')`

/** Records that several events of a batch concern: their deliveries keep their order in the queue only. */
export const recordsOfSeveral = (events: ReadonlyArray<Pick<OfRecord, "record_id">>): ReadonlySet<number | null> => {
  const byRecord = Map.groupBy(events, ({ record_id }) => record_id)
  return new Set([...byRecord].flatMap(([id, { length }]) => (id !== null && length > 1 ? [id] : [])))
}

export const appIds = (rows: ReadonlyArray<{ readonly app_id: number }>) => [
  ...new Set(rows.map(({ app_id }) => app_id))
]

export const makeRecordOrder = (sql: Sql) => {
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
          SELECT 1 FROM webhook_queue q WHERE q.hook_id = x.hook_id AND q.record_id = x.record_id AND q.ordered
          ORDER BY q.event_id DESC LIMIT 1 FOR SHARE) last`
  }

  /**
   * Turns bundles of the same records into rows of the queue before later deliveries are added. Locks the fence of their activation, so
   * that nobody raises it meanwhile; whoever raises it splits bundles too.
   */
  const unbundled = (rows: ReadonlyArray<OfRecord>) => {
    const apps = appIds(rows)
    const records = [...new Set(rows.flatMap(({ record_id }) => record_id ?? []))]
    return sql`
      WITH mine AS MATERIALIZED (
        SELECT actor_key FROM actors WHERE actor_key IN (SELECT ${`${KIND_NAME}/`} || app_id FROM unnest(${apps.map(String)}::bigint[]) AS a (app_id))
        ORDER BY actor_key FOR KEY SHARE
      )
      SELECT webhook_unbundle(ARRAY(SELECT event_id FROM webhook_bundles
        WHERE app_id = ANY(${apps.map(String)}::bigint[]) AND record_id = ANY(${records.map(String)}::bigint[]))) FROM (SELECT count(*) FROM mine) m`
  }

  /** The windows of apps, as in a claim: before rows of the queue. */
  const holdWindows = (appIds: ReadonlyArray<number>) => sql`
    SELECT 1 FROM webhook_windows WHERE app_id = ANY(${appIds.map(String)}::bigint[]) ORDER BY app_id FOR NO KEY UPDATE`

  return { holdLast, holdWindows, unbundled }
}
