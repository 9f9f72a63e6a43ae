// Merges counts by the minute into counts by the hour after two days, and deletes them with the log that they count. Batches; safe in
// several processes.
import { Clock, Effect } from "effect"
import { deleteInBatches } from "../../../platform/sql/deleteInBatches.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { sumOfBuckets } from "./counting.ts"
import { FINE_HOURS } from "./Statistics.ts"

const BATCH = 5_000
const HOUR = 3_600_000

/** @param keptSince older counts go */
export const coarsen = Effect.fnUntraced(function* (keptSince: Date) {
  const sql = yield* Sql
  const nowMillis = yield* Clock.currentTimeMillis
  const coarseBefore = new Date(nowMillis - (nowMillis % HOUR) - FINE_HOURS * HOUR)
  const deletedCount = yield* deleteInBatches(
    BATCH,
    sql`
      DELETE FROM hook_statistics WHERE (hook_id, counted_on) IN (
        SELECT hook_id, counted_on FROM hook_statistics WHERE counted_on < ${keptSince} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING 1`
  )
  yield* deleteInBatches(
    BATCH,
    sql`
      WITH fine AS (
        DELETE FROM hook_statistics WHERE (hook_id, counted_on) IN (
          SELECT hook_id, counted_on FROM hook_statistics
          WHERE counted_on < ${coarseBefore} AND extract(minute FROM counted_on AT TIME ZONE 'UTC') <> 0
          ORDER BY counted_on LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
        RETURNING *, date_trunc('hour', counted_on, 'UTC') AS hour
      ), buckets AS (
        SELECT hook_id, hour, n, sum(c)::int AS c FROM fine CROSS JOIN unnest(latency) WITH ORDINALITY AS u(c, n) GROUP BY hook_id, hour, n
      ), latencies AS (
        SELECT hook_id, hour, array_agg(c ORDER BY n) AS latency FROM buckets GROUP BY hook_id, hour
      ), coarse AS (
        INSERT INTO hook_statistics AS s (hook_id, counted_on, delivered, retrying, failed, withheld, latency)
        SELECT f.hook_id, f.hour, sum(delivered), sum(retrying), sum(failed), sum(withheld), coalesce(l.latency, '{}')
        FROM fine f LEFT JOIN latencies l USING (hook_id, hour) GROUP BY f.hook_id, f.hour, l.latency ORDER BY f.hook_id, f.hour
        ON CONFLICT (hook_id, counted_on) DO UPDATE SET delivered = s.delivered + excluded.delivered,
          retrying = s.retrying + excluded.retrying, failed = s.failed + excluded.failed, withheld = s.withheld + excluded.withheld,
          latency = ${sql.literal(sumOfBuckets("s.latency", "excluded.latency"))}
      )
      SELECT 1 FROM fine`
  )
  return deletedCount
})
