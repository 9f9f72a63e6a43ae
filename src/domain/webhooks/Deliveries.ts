// The delivery log and replay (decisions W5, W8). Callers have been checked for the hook before they come here.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { defaultSwitches } from "../../engine/outbox/Event.ts"
import { Outbox } from "../../engine/outbox/Outbox.ts"
import { formatDateTime } from "../../ground/primitives/dates.ts"
import { Conflict, NotFound, type ValidationError } from "../../ground/primitives/errors.ts"
import { Cursors } from "../../ground/sealing/Cursors.ts"
import { countOf, rowOf, rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import {
  Attempt,
  type Delivery,
  DeliveryStatus,
  type DeliveryWithAttempts,
  deliveryId,
  parseDeliveryId
} from "./Delivery.ts"
import { HookType } from "./Hook.ts"

export interface DeliveryFilter {
  readonly status?: DeliveryStatus
  readonly since?: Date
  /** Not included. */
  readonly before?: Date
}

export interface DeliveryPage {
  readonly total: number
  readonly cursor: string | null
  readonly deliveries: ReadonlyArray<Delivery>
}

const DeliveryRow = Schema.Struct({
  hook_id: Schema.Int,
  event_id: Schema.Int,
  type: HookType,
  status: DeliveryStatus,
  payload: Schema.String,
  num_attempts: Schema.Int,
  next_attempt_on: Schema.NullOr(Schema.Date),
  created_on: Schema.Date
})
type DeliveryRow = typeof DeliveryRow.Type

const AttemptRow = Schema.Struct({
  ...Attempt.fields,
  attempted_on: Schema.Date,
  next_attempt_on: Schema.NullOr(Schema.Date)
})

const dateOrNull = (date: Date | null) => (date === null ? null : formatDateTime(date))

const viewOf = (row: DeliveryRow): Delivery => ({
  delivery_id: deliveryId(row.hook_id, row.event_id),
  hook_id: row.hook_id,
  type: row.type,
  status: row.status,
  payload: JSON.parse(row.payload),
  created_on: formatDateTime(row.created_on),
  num_attempts: row.num_attempts,
  next_attempt_on: dateOrNull(row.next_attempt_on)
})

/** What `POST /v1/hook/{hook_id}/replay` takes when the caller does not say. */
export const replayedByDefault: ReadonlyArray<DeliveryStatus> = ["failed", "withheld"]

export class Deliveries extends Context.Service<
  Deliveries,
  {
    readonly list: (
      hookId: number,
      filter: DeliveryFilter,
      page: { readonly limit: number; readonly cursor?: string }
    ) => Effect.Effect<DeliveryPage, ValidationError>
    /** The hook of a delivery id, for the check of the caller. */
    readonly hookOf: (deliveryId: string) => Effect.Effect<number, NotFound>
    readonly get: (deliveryId: string) => Effect.Effect<DeliveryWithAttempts, NotFound>
    /** Sends one again, whatever its state; the same `webhook-id`. 409 while the hook is inactive. */
    readonly replay: (deliveryId: string) => Effect.Effect<number, NotFound | Conflict>
    readonly replaySince: (
      hookId: number,
      since: Date,
      statuses: ReadonlyArray<DeliveryStatus>
    ) => Effect.Effect<number, NotFound | Conflict>
  }
>()("millrace/webhooks/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.suspend(() => make)
  )
}

const missing = (id: string) => new NotFound({ message: `No delivery with id ${id}.` })

const HeldHook = Schema.Struct({ app_id: Schema.Int, org_id: Schema.Int, status: Schema.String })

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const cursors = yield* Cursors
  const outbox = yield* Outbox
  const columns = sql.literal("hook_id, event_id, type, status, payload, num_attempts, next_attempt_on, created_on")

  const list = Effect.fn("Deliveries.list")(function* (
    hookId: number,
    filter: DeliveryFilter,
    page: { readonly limit: number; readonly cursor?: string }
  ) {
    const { status, since, before } = filter
    const listing = `hook/${hookId}/delivery ${status ?? ""} ${since?.getTime() ?? ""} ${before?.getTime() ?? ""}`
    const where = sql.and([
      sql`hook_id = ${hookId}`,
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(since === undefined ? [] : [sql`created_on >= ${since}`]),
      ...(before === undefined ? [] : [sql`created_on < ${before}`])
    ])
    const place = page.cursor === undefined ? undefined : yield* cursors.read(listing, page.cursor, Schema.Int)
    const total =
      place?.total ?? (yield* countOf(sql`SELECT count(*)::int AS n FROM webhook_deliveries WHERE ${where}`))
    const further = place === undefined ? sql`true` : sql`event_id < ${place.position}`
    const rows = yield* rowsOf(DeliveryRow)(sql`
        SELECT ${columns} FROM webhook_deliveries WHERE ${where} AND ${further} ORDER BY event_id DESC LIMIT ${page.limit + 1}`)
    const shown = rows.slice(0, page.limit)
    const more = rows.length > page.limit
    const cursor = more ? yield* cursors.issue(listing, { total, position: shown.at(-1)!.event_id }) : null
    return { total, cursor, deliveries: shown.map(viewOf) }
  }, orSqlDefect)

  const keyOf = (id: string) => {
    const key = parseDeliveryId(id)
    return key === undefined ? Effect.fail(missing(id)) : Effect.succeed(key)
  }

  const deliveryOf = Effect.fnUntraced(function* (id: string) {
    const { hookId, eventId } = yield* keyOf(id)
    const rows = yield* rowsOf(DeliveryRow)(sql`
      SELECT ${columns} FROM webhook_deliveries WHERE hook_id = ${hookId} AND event_id = ${eventId}`)
    return rows[0] ?? (yield* missing(id))
  })

  const get = Effect.fn("Deliveries.get")(function* (id: string) {
    const row = yield* deliveryOf(id)
    const attempts = yield* rowsOf(AttemptRow)(sql`
        SELECT attempted_on, status_code, latency_ms, error, response_body, next_attempt_on FROM webhook_attempts
        WHERE hook_id = ${row.hook_id} AND event_id = ${row.event_id} ORDER BY attempt`)
    return {
      ...viewOf(row),
      attempts: attempts.map((attempt) => ({
        ...attempt,
        attempted_on: formatDateTime(attempt.attempted_on),
        next_attempt_on: dateOrNull(attempt.next_attempt_on)
      }))
    }
  }, orSqlDefect)

  /** Held against fan-outs (fanOut.ts): what they add comes before the replay or sees it. Queues the chosen deliveries again and wakes the actor; what is queued or retrying already is due at once, with all its retries. */
  const again = Effect.fnUntraced(function* (hookId: number, chosen: (now: Date) => Effect.Effect<number, SqlError>) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const hook = yield* rowOf(HeldHook)(sql`
      SELECT app_id, org_id, status FROM hooks WHERE hook_id = ${hookId} FOR UPDATE`)
    if (hook === undefined) return yield* new NotFound({ message: `No hook with id ${hookId}.` })
    if (hook.status !== "active")
      return yield* new Conflict({ message: "The hook is inactive: verify it, then replay." })
    const replayed = yield* chosen(now)
    const { app_id, org_id } = hook
    yield* outbox.append([
      {
        type: "command.hook.replay",
        payload: {},
        org_id,
        app_id,
        record_id: null,
        switches: defaultSwitches,
        depth: 0,
        cause: null
      }
    ])
    return replayed
  })

  /**
   * Events that were never tried keep the order of their record (W3): behind earlier ones that wait, and before later ones
   * that nobody has begun to send.
   */
  const queueAgain = (hookId: number, which: ReturnType<typeof sql.and>, now: Date) =>
    countOf(sql`
    WITH chosen AS (
      SELECT d.event_id, d.record_id, h.app_id, d.num_attempts = 0 AND d.record_id IS NOT NULL AS ordered
      FROM webhook_deliveries d JOIN hooks h USING (hook_id) WHERE d.hook_id = ${hookId} AND ${which}
    ), first AS (
      SELECT record_id, min(event_id) AS event_id FROM chosen WHERE ordered GROUP BY record_id
    ), behind AS (
      SELECT q.event_id FROM webhook_queue q JOIN first f ON f.record_id = q.record_id
      WHERE q.hook_id = ${hookId} AND q.ordered AND q.claims = 0 AND q.event_id > f.event_id
      ORDER BY q.record_id, q.event_id FOR UPDATE OF q
    ), waits AS (
      UPDATE webhook_queue q SET blocked = true FROM behind b WHERE q.hook_id = ${hookId} AND q.event_id = b.event_id
    ), queued AS (
      INSERT INTO webhook_queue (hook_id, event_id, app_id, record_id, ordered, blocked, due_at)
      SELECT ${hookId}, c.event_id, c.app_id, c.record_id, c.ordered, c.ordered AND (
        c.event_id > (SELECT f.event_id FROM first f WHERE f.record_id = c.record_id)
        OR EXISTS (SELECT 1 FROM webhook_queue q WHERE q.hook_id = ${hookId} AND q.record_id = c.record_id AND q.ordered
          AND q.event_id < c.event_id)), ${now}
      FROM chosen c ORDER BY c.record_id, c.event_id
      ON CONFLICT (hook_id, event_id) DO UPDATE SET due_at = least(webhook_queue.due_at, excluded.due_at), tries = 0
    ), logged AS (
      UPDATE webhook_deliveries d SET status = 'queued', next_attempt_on = NULL, withheld_on = NULL
      FROM chosen c WHERE d.hook_id = ${hookId} AND d.event_id = c.event_id
    )
    SELECT count(*)::int AS n FROM chosen`)

  const replay = Effect.fn("Deliveries.replay")(function* (id: string) {
    const { hookId, eventId } = yield* keyOf(id)
    yield* deliveryOf(id)
    return yield* sql.withTransaction(
      again(hookId, (now) => queueAgain(hookId, sql.and([sql`d.event_id = ${eventId}`]), now))
    )
  }, orSqlDefect)

  const replaySince = Effect.fn("Deliveries.replaySince")(
    (hookId: number, since: Date, statuses: ReadonlyArray<DeliveryStatus>) =>
      sql.withTransaction(
        again(hookId, (now) =>
          queueAgain(
            hookId,
            sql.and([sql`d.created_on >= ${since}`, sql`d.status = ANY(${[...statuses]}::text[])`]),
            now
          )
        )
      ),
    orSqlDefect
  )

  const hookOf = (id: string) => Effect.map(keyOf(id), ({ hookId }) => hookId)

  return Deliveries.of({ list, hookOf, get, replay, replaySince })
})
