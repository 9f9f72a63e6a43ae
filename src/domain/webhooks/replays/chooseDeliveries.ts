// Chooses the deliveries of a replay slice by slice (decisions W16): each slice reads a fixed number of deliveries of the log, and queues
// the chosen ones at the gate, in the order of their records (W3). A repeated call continues where the last one ended.
import { Effect, Schema } from "effect"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { makeRequeueDeliveries } from "./requeueDeliveries.ts"

/** Deliveries that one piece looks at. */
const PIECE = 2_000

const Staged = Schema.Struct({ chosen: Schema.Int, counted: Schema.Boolean })

export const makeChooseDeliveries = Effect.gen(function* () {
  const sql = yield* Sql
  const { holdActive, queueing } = yield* makeRequeueDeliveries

  /** Queues the next slice of the choice. Call it in a transaction; fails if the hook is deleted or inactive. */
  return Effect.fnUntraced(function* (replayId: number, hookId: number, now: Date) {
    const { app_id } = yield* holdActive(hookId)
    const staged = yield* rowOf(Staged)(sql`
      WITH job AS (
        SELECT * FROM webhook_replays WHERE replay_id = ${replayId} AND state = 'running' AND NOT counted FOR UPDATE
      ), scanned AS MATERIALIZED (
        SELECT d.* FROM job CROSS JOIN LATERAL (
          SELECT event_id, record_id, type, status, num_attempts, created_on FROM webhook_deliveries
          WHERE hook_id = ${hookId} AND event_id > job.position AND event_id <= job.last_event
          ORDER BY event_id LIMIT ${PIECE}) d
      ), chosen AS (
        SELECT s.event_id, s.record_id, ${app_id}::bigint AS app_id, s.status,
          s.num_attempts = 0 AND s.record_id IS NOT NULL AS ordered
        FROM scanned s CROSS JOIN job
        WHERE s.created_on >= job.since AND (job.until IS NULL OR s.created_on < job.until) AND s.status = ANY(job.statuses)
          AND (job.types IS NULL OR s.type = ANY(job.types))
          AND (job.errors IS NULL OR EXISTS (
            SELECT 1 FROM webhook_attempts a
            WHERE a.hook_id = ${hookId} AND a.event_id = s.event_id AND a.attempt = s.num_attempts
              AND (a.error = ANY(job.errors) OR split_part(a.error, ':', 1) = ANY(job.errors))))
      ), ${queueing(hookId, now, replayId)}
      UPDATE webhook_replays r SET chosen = r.chosen + (SELECT count(*) FROM chosen),
        position = coalesce((SELECT max(event_id) FROM scanned), r.position), counted = (SELECT count(*) FROM scanned) < ${PIECE}
      FROM job WHERE r.replay_id = job.replay_id RETURNING r.chosen, r.counted`)
    return staged ?? { chosen: 0, counted: true }
  })
})
