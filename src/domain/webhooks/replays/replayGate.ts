// Limits what replays may send (decisions W16): at most half of the app's window, retries included, shared round robin by its replays, and
// so many deliveries per minute of each replay. A delivery that passes the gate is queued like all others; a failed one returns to the
// gate.
import { Effect, Schema } from "effect"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { heldBy, isHeld } from "../../../engine/actors/fence.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { claimValues, makeClaimParts, SENDABLE_HOOK, windowTimes } from "../claimParts.ts"
import { isNamedBy, lockedDeliveries } from "../queueDeliveries.ts"
import { makeResultStatements } from "../resultStatements.ts"
import type { WebhookSettingsShape } from "../WebhookSettings.ts"

/** Replays of an app that are through and have no result yet, however large its window is. */
const THROUGH_AT_MOST = 1_000

/** Executions of an app's window that replays may use, as SQL over its column `cap`. */
export const HALF_OF_CAP = "greatest(1, cap / 2)"

const Passed = Schema.Struct({
  window_start: Schema.NullOr(Schema.Date),
  hook_id: Schema.NullOr(Schema.Int),
  record_id: Schema.NullOr(Schema.Int),
  ordered: Schema.NullOr(Schema.Boolean)
})

export const makeReplayGate = (settings: WebhookSettingsShape) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const { release } = yield* makeResultStatements
    const { standing } = makeClaimParts(sql)

    /** Condition on a queued `q`: an earlier delivery of its record is at its gate, and this one cannot be sent before it (W3). */
    const behindGate = (which: string) =>
      sql.literal(`(q.ordered AND EXISTS (
        SELECT 1 FROM webhook_queue e WHERE e.hook_id = q.hook_id AND e.record_id = q.record_id AND e.ordered AND e.gated
          AND e.event_id < q.event_id AND ${which}))`)

    /**
     * Serves the replays in turn: first those with the fewest deliveries past the gate or in their current minute; among equals the one
     * whose minute is the oldest. A delivery that must wait for its hook's own limit, or for another gate, uses no execution that others
     * could have.
     * @returns how many passed, and when the app's window ends
     */
    return Effect.fnUntraced(function* (activation: Activation, now: Date) {
      const appId = Number(activation.id)
      const { lapsed } = windowTimes(settings, now)
      const gateQuery = rowsOf(Passed)(sql`
        WITH mine AS (${heldBy(sql, activation)}), standing AS (${standing(claimValues(settings, activation, now))}), jobs AS (
          SELECT r.replay_id, r.hook_id, r.per_minute, h.per_minute AS of_hook, r.window_start,
            CASE WHEN r.window_start > ${lapsed} THEN r.window_used ELSE 0 END AS used
          FROM webhook_replays r JOIN hooks h USING (hook_id)
          WHERE r.app_id = ${appId} AND r.ended_on IS NULL AND r.state = 'running' AND ${sql.literal(SENDABLE_HOOK)}
        ), through AS (
          SELECT jobs.replay_id, jobs.hook_id, count(q.event_id) AS n FROM jobs
          LEFT JOIN webhook_queue q ON q.replay_id = jobs.replay_id AND NOT q.gated AND NOT ${behindGate("true")}
          GROUP BY jobs.replay_id, jobs.hook_id
        ), shares AS (
          SELECT jobs.replay_id, window_start, greatest(n, used) AS had,
            greatest(0, least(${THROUGH_AT_MOST}, per_minute - used, of_hook - sum(n) OVER (PARTITION BY hook_id)))::bigint AS free
          FROM jobs JOIN through USING (replay_id, hook_id)
        ), budget AS (
          SELECT greatest(0, least(${sql.literal(HALF_OF_CAP)} - replayed, ${THROUGH_AT_MOST}) - (SELECT sum(n) FROM through))::bigint AS free
          FROM standing
        ), candidates AS (
          SELECT s.replay_id, s.window_start, q.hook_id, q.record_id, q.event_id,
            s.had + row_number() OVER (PARTITION BY s.replay_id ORDER BY q.due_at, q.event_id) AS turn
          FROM shares s CROSS JOIN budget CROSS JOIN LATERAL (
            SELECT hook_id, record_id, event_id, due_at FROM webhook_queue q
            WHERE replay_id = s.replay_id AND gated AND due_at <= ${now} AND NOT ${behindGate("e.replay_id <> q.replay_id")}
            ORDER BY due_at, event_id LIMIT least(s.free, budget.free)) q
        ), picked AS (
          SELECT * FROM candidates ORDER BY turn, window_start NULLS FIRST, replay_id LIMIT (SELECT free FROM budget)
        ), locked AS (
          SELECT q.* FROM ${lockedDeliveries(sql, "picked", "UPDATE", sql`q.gated`)}
        ), opened AS (
          UPDATE webhook_queue q SET gated = false, blocked = q.ordered, former = NULL, due_at = ${now}
          FROM locked l WHERE ${isNamedBy(sql, "l")}
          RETURNING q.hook_id, q.record_id, q.ordered
        ), counted AS (
          UPDATE webhook_replays r SET begun = r.begun + l.begun,
            window_start = CASE WHEN r.window_start > ${lapsed} THEN r.window_start ELSE ${now} END,
            window_used = l.passed + CASE WHEN r.window_start > ${lapsed} THEN r.window_used ELSE 0 END
          FROM (SELECT replay_id, count(*) AS passed, count(former) AS begun FROM locked WHERE replay_id IS NOT NULL GROUP BY replay_id) l
          WHERE r.replay_id = l.replay_id
        )
        SELECT s.window_start, o.* FROM mine LEFT JOIN standing s ON true LEFT JOIN opened o ON true`)
      const rows = yield* activation.once.statement(gateQuery, isHeld)
      const openedRows = rows.flatMap(({ hook_id, ordered, record_id }) =>
        hook_id === null ? [] : [{ hook_id, record_id, ordered }]
      )
      // After the opening, as after results: whichever comes later, its predecessor's end or this, sees the other.
      const orderedRows = openedRows.filter(({ ordered }) => ordered === true)
      if (orderedRows.length > 0) yield* activation.statement(release(orderedRows), () => true)
      return { passed: openedRows.length, windowEnds: (rows[0]?.window_start ?? now).getTime() + settings.windowMillis }
    })
  })
