// Advances an app's replays between the claims of its actor (decisions W16): chooses further deliveries, opens the gate, takes back
// cancelled ones and ends finished replays. Each step is one transaction of the activation; the next round continues one that was
// interrupted.
import { Effect, Schema } from "effect"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { countOf, rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { isNamedBy } from "../queueDeliveries.ts"
import { makeResultStatements } from "../resultStatements.ts"
import type { WebhookSettingsShape } from "../WebhookSettings.ts"
import { makeChooseDeliveries } from "./chooseDeliveries.ts"
import { ReplayState } from "./Replay.ts"
import { makeReplayGate } from "./replayGate.ts"

/** Deliveries that are taken back at once. */
const PIECE = 2_000
/** Interval at which open replays are checked for their end. */
const LOOK_MILLIS = 1_000

const OpenReplay = Schema.Struct({
  replay_id: Schema.Int,
  hook_id: Schema.Int,
  state: ReplayState,
  counted: Schema.Boolean,
  active: Schema.Boolean,
  /** True if its job was cancelled, or given up. */
  job_ended: Schema.Boolean
})
type OpenReplay = typeof OpenReplay.Type

const Waiting = Schema.Struct({ gated: Schema.NullOr(Schema.Date), through: Schema.Boolean })

export const makeReplayRounds = (settings: WebhookSettingsShape) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const stage = yield* makeChooseDeliveries
    const openGate = yield* makeReplayGate(settings)
    const { releaseAll } = yield* makeResultStatements

    const openOf = (appId: number) =>
      rowsOf(OpenReplay)(sql`
        SELECT r.replay_id, r.hook_id, r.state, r.counted, h.status = 'active' AS active,
          coalesce(j.status IN ('cancelled', 'failed'), false) AS job_ended
        FROM webhook_replays r JOIN hooks h USING (hook_id) LEFT JOIN jobs j ON j.job_id = r.job_id
        WHERE r.app_id = ${appId} AND r.ended_on IS NULL ORDER BY r.replay_id`)

    const leave = ({ replay_id }: OpenReplay, state: "cancelled" | "stopped") =>
      sql`UPDATE webhook_replays SET state = ${state} WHERE replay_id = ${replay_id} AND state = 'running'`

    /** Restores the status of deliveries that have not begun. */
    const takeBack = (replayId: number) =>
      countOf(sql`
        WITH away AS (
          SELECT hook_id, event_id, former FROM webhook_queue WHERE replay_id = ${replayId} AND gated AND former IS NOT NULL
          ORDER BY hook_id, record_id, event_id LIMIT ${PIECE} FOR UPDATE
        ), gone AS (
          DELETE FROM webhook_queue q USING away a WHERE ${isNamedBy(sql, "a")}
        ), logged AS (
          UPDATE webhook_deliveries d SET status = a.former FROM away a WHERE ${isNamedBy(sql, "a", "d")}
        )
        SELECT count(*)::int AS n FROM away`)

    /** Detaches deliveries that have begun: they continue to their end as if replayed singly. */
    const letGo = (replayId: number, now: Date) => sql`
      WITH left_over AS (
        SELECT hook_id, event_id FROM webhook_queue WHERE replay_id = ${replayId} ORDER BY hook_id, record_id, event_id FOR UPDATE
      ), freed AS (
        UPDATE webhook_queue q SET replay_id = NULL, gated = false, blocked = q.blocked AND NOT q.gated
        FROM left_over l WHERE ${isNamedBy(sql, "l")}
      )
      UPDATE webhook_replays SET ended_on = ${now} WHERE replay_id = ${replayId}`

    /** @returns whether there is more to do at once */
    const advance = Effect.fnUntraced(function* (activation: Activation, replay: OpenReplay, now: Date) {
      if (replay.state === "running") {
        if (!replay.active) return yield* Effect.as(activation.commit(leave(replay, "stopped")), true)
        if (replay.job_ended) return yield* Effect.as(activation.commit(leave(replay, "cancelled")), true)
        if (replay.counted) return false
        return yield* activation.commit(stage(replay.replay_id, replay.hook_id, now)).pipe(
          Effect.map(({ counted }) => !counted),
          // Gone or inactive by now: the next round sees it.
          Effect.catchTag(["NotFound", "Conflict"], () => Effect.succeed(true))
        )
      }
      const takenCount = yield* activation.commit(takeBack(replay.replay_id))
      if (takenCount < PIECE) yield* activation.commit(letGo(replay.replay_id, now))
      // Releases the deliveries that waited for them; after the commit, as after results.
      yield* activation.statement(releaseAll("app_id", Number(activation.id)), () => true)
      return takenCount === PIECE
    })

    const endDone = (appId: number, now: Date) => sql`
      UPDATE webhook_replays r SET state = 'done', ended_on = ${now}
      WHERE r.app_id = ${appId} AND r.ended_on IS NULL AND r.state = 'running' AND r.counted
        AND NOT EXISTS (SELECT 1 FROM webhook_queue q WHERE q.replay_id = r.replay_id)`

    const waitingOf = (appId: number) =>
      rowOf(Waiting)(sql`
        SELECT min(g.due_at) AS gated, coalesce(bool_or(t.there), false) AS through FROM webhook_replays r
        LEFT JOIN LATERAL (
          SELECT due_at FROM webhook_queue WHERE replay_id = r.replay_id AND gated ORDER BY due_at LIMIT 1) g ON true
        LEFT JOIN LATERAL (SELECT true AS there FROM webhook_queue WHERE replay_id = r.replay_id AND NOT gated LIMIT 1) t ON true
        WHERE r.app_id = ${appId} AND r.ended_on IS NULL`)

    /** @returns the time of the next work; infinite if no replay is open any more */
    return Effect.fnUntraced(function* (activation: Activation, now: Date) {
      const appId = Number(activation.id)
      let hasMore = false
      for (const replay of yield* openOf(appId)) hasMore = (yield* advance(activation, replay, now)) || hasMore
      const { passed, windowEnds } = yield* openGate(activation, now)
      yield* activation.commit(endDone(appId, now))
      if (hasMore || passed > 0) return now.getTime()
      const waitingState = yield* waitingOf(appId)
      const nextCheck = waitingState?.through === true ? now.getTime() + LOOK_MILLIS : Number.POSITIVE_INFINITY
      if (waitingState?.gated == null) return nextCheck
      const gated = waitingState.gated.getTime()
      return Math.min(nextCheck, gated > now.getTime() ? gated : Math.max(windowEnds, now.getTime() + LOOK_MILLIS))
    })
  })
