// Replays of many deliveries (decisions W16): begun, seen, cancelled. Callers have been checked for the hook before they come here; the
// app's actor carries them out (replayRounds.ts).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { Conflict, NotFound } from "../../../platform/primitives/errors.ts"
import { countOf, rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { type JobsCaller, makeJobRows } from "../../jobs/jobRows.ts"
import { makeChooseDeliveries } from "./chooseDeliveries.ts"
import { MAX_OPEN_REPLAYS, type Replay, type ReplayChoice, ReplayRow, replayOf } from "./Replay.ts"
import { makeRequeueDeliveries } from "./requeueDeliveries.ts"

/** Latest replays of a hook that are listed. */
const LISTED = 100

/** User who cancels the replay; null: the operator. */
type By = number | null

export class HookReplays extends Context.Service<
  HookReplays,
  {
    /** Chooses the first deliveries and leaves the rest to the actor, with a job that tells of it. 409 while the hook is inactive. */
    readonly start: (
      hookId: number,
      choice: ReplayChoice,
      caller: JobsCaller
    ) => Effect.Effect<Replay & { readonly job_id: number }, NotFound | Conflict>
    readonly hookOf: (replayId: number) => Effect.Effect<number, NotFound>
    readonly get: (replayId: number) => Effect.Effect<Replay, NotFound>
    /** The latest first. */
    readonly list: (hookId: number) => Effect.Effect<ReadonlyArray<Replay>>
    /**
     * Restores the status of deliveries that have not begun; the others continue to their end. A replay that has ended is left as it is.
     */
    readonly cancel: (replayId: number, by: By) => Effect.Effect<Replay, NotFound>
  }
>()("millrace/webhooks/HookReplays") {
  static readonly layer = Layer.effect(
    HookReplays,
    Effect.suspend(() => make)
  )
}

const ReplayId = Schema.Struct({ replay_id: Schema.Int })
const Cancelled = Schema.Struct({
  app_id: Schema.Int,
  org_id: Schema.Int,
  hook_id: Schema.Int,
  job_id: Schema.NullOr(Schema.Int)
})

const missing = (replayId: number) => new NotFound({ message: `No replay with id ${replayId}.` })

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const { holdActive, wake } = yield* makeRequeueDeliveries
  const stage = yield* makeChooseDeliveries
  const jobs = yield* makeJobRows

  const rows = (which: Statement.Fragment): Effect.Effect<ReadonlyArray<Replay>, SqlError> =>
    Effect.map(
      rowsOf(ReplayRow)(sql`
        SELECT r.*, CASE WHEN r.state = 'running' AND j.status IN ('cancelled', 'failed') THEN 'cancelled' ELSE r.state END AS state,
          (SELECT count(*) FROM webhook_queue q WHERE q.replay_id = r.replay_id) AS waiting
        FROM webhook_replays r LEFT JOIN jobs j USING (job_id) WHERE ${which} ORDER BY r.replay_id DESC LIMIT ${LISTED}`),
      (found) => found.map(replayOf)
    )

  const getReplay = Effect.fnUntraced(function* (replayId: number) {
    const [replay] = yield* rows(sql`replay_id = ${replayId}`)
    return replay ?? (yield* missing(replayId))
  })

  const begin = Effect.fnUntraced(function* (hookId: number, choice: ReplayChoice, caller: JobsCaller) {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    const hook = yield* holdActive(hookId)
    const openCount = yield* countOf(sql`
      SELECT count(*)::int AS n FROM webhook_replays WHERE hook_id = ${hookId} AND ended_on IS NULL`)
    if (openCount >= MAX_OPEN_REPLAYS)
      return yield* new Conflict({ message: `A hook has at most ${MAX_OPEN_REPLAYS} replays at once: cancel one.` })
    const { before, errors, perMinute, since, statuses, types } = choice
    const createdReplay = yield* rowOf(ReplayId)(sql`
      INSERT INTO webhook_replays (hook_id, app_id, since, until, statuses, errors, types, per_minute, created_on, last_event)
      VALUES (${hookId}, ${hook.app_id}, ${since}, ${before ?? null}, ${[...statuses]}::text[],
        ${errors === undefined ? null : [...errors]}::text[], ${types === undefined ? null : [...types]}::text[], ${perMinute ?? null}, ${nowDate},
        coalesce((SELECT event_id FROM webhook_deliveries WHERE hook_id = ${hookId} ORDER BY event_id DESC LIMIT 1), 0))
      RETURNING replay_id`)
    const { replay_id } = createdReplay!
    const { chosen, counted } = yield* stage(replay_id, hookId, nowDate)
    const jobId = yield* jobs.insert(caller, { kind: "delivery_replay", input: { replay_id }, total: chosen })
    yield* sql`UPDATE webhook_replays SET job_id = ${jobId} WHERE replay_id = ${replay_id}`
    if (counted && chosen === 0)
      yield* sql`UPDATE webhook_replays SET state = 'done', ended_on = ${nowDate} WHERE replay_id = ${replay_id}`
    else yield* wake(hook)
    yield* audit.record({
      event: "hook.replay_started",
      orgId: hook.org_id,
      userId: caller === "operator" ? undefined : caller.userId,
      details: { hook_id: hookId, replay_id }
    })
    return { ...(yield* getReplay(replay_id)), job_id: jobId }
  })

  const start = Effect.fn("HookReplays.start")(
    (hookId: number, choice: ReplayChoice, caller: JobsCaller) => sql.withTransaction(begin(hookId, choice, caller)),
    orSqlDefect
  )

  const end = Effect.fnUntraced(function* (replayId: number, by: By) {
    const cancelled = yield* rowOf(Cancelled)(sql`
      UPDATE webhook_replays r SET state = 'cancelled' FROM hooks h
      WHERE r.replay_id = ${replayId} AND r.hook_id = h.hook_id AND r.state = 'running' RETURNING r.app_id, h.org_id, h.hook_id, r.job_id`)
    if (cancelled !== undefined) {
      if (cancelled.job_id !== null) yield* jobs.endCancelled(cancelled.job_id)
      yield* wake(cancelled)
      yield* audit.record({
        event: "hook.replay_cancelled",
        orgId: cancelled.org_id,
        userId: by ?? undefined,
        details: { hook_id: cancelled.hook_id, replay_id: replayId }
      })
    }
    return yield* getReplay(replayId)
  })

  const cancel = Effect.fn("HookReplays.cancel")(
    (replayId: number, by: By) => sql.withTransaction(end(replayId, by)),
    orSqlDefect
  )
  const get = Effect.fn("HookReplays.get")(getReplay, orSqlDefect)
  const list = Effect.fn("HookReplays.list")((hookId: number) => rows(sql`hook_id = ${hookId}`), orSqlDefect)
  const hookOf = (replayId: number) => Effect.map(get(replayId), ({ hook_id }) => hook_id)

  return HookReplays.of({ start, hookOf, get, list, cancel })
})
