// The delivery log, and the replay of one delivery (decisions W5, W8); replays of many are in `replays/`. Callers have been checked for the hook before they come here.
import { Context, Effect, Layer, Schema } from "effect"
import { type Conflict, NotFound, type ValidationError } from "../../platform/primitives/errors.ts"
import { Cursors } from "../../platform/sealing/Cursors.ts"
import { countOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { allDeliveries } from "./bundles/allDeliveries.ts"
import { type Delivery, type DeliveryWithAttempts, parseDeliveryId } from "./Delivery.ts"
import {
  conditionsOf,
  type DeliveryFilter,
  DeliveryRow,
  deliveryColumns,
  deliveryOf,
  withAttempts
} from "./deliveryRows.ts"
import { makeRequeueDeliveries } from "./replays/requeueDeliveries.ts"

export interface DeliveryPage {
  readonly total: number
  readonly cursor: string | null
  readonly deliveries: ReadonlyArray<Delivery>
}

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
    /** Sends one again, whatever its state; the same `webhook-id`. 409 while the hook is inactive. `by` null: the operator. */
    readonly replay: (deliveryId: string, by: number | null) => Effect.Effect<number, NotFound | Conflict>
  }
>()("millrace/webhooks/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.suspend(() => make)
  )
}

const missing = (id: string) => new NotFound({ message: `No delivery with id ${id}.` })

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const cursors = yield* Cursors
  const queueAgain = yield* makeRequeueDeliveries
  const columns = sql.literal(deliveryColumns)
  const log = sql`${allDeliveries(sql)} AS d`

  const list = Effect.fn("Deliveries.list")(function* (
    hookId: number,
    filter: DeliveryFilter,
    page: { readonly limit: number; readonly cursor?: string }
  ) {
    const { before, recordId, since, status, type } = filter
    const listing = `hook/${hookId}/delivery ${[status, type, recordId, since?.getTime(), before?.getTime()].join(" ")}`
    const where = sql.and([sql`hook_id = ${hookId}`, ...conditionsOf(sql, filter)])
    const pageStart = page.cursor === undefined ? undefined : yield* cursors.read(listing, page.cursor, Schema.Int)
    const total = pageStart?.total ?? (yield* countOf(sql`SELECT count(*)::int AS n FROM ${log} WHERE ${where}`))
    const further = pageStart === undefined ? sql`true` : sql`event_id < ${pageStart.position}`
    const rows = yield* rowsOf(DeliveryRow)(sql`
        SELECT ${columns} FROM ${log} WHERE ${where} AND ${further} ORDER BY event_id DESC LIMIT ${page.limit + 1}`)
    const pageRows = rows.slice(0, page.limit)
    const more = rows.length > page.limit
    const cursor = more ? yield* cursors.issue(listing, { total, position: pageRows.at(-1)!.event_id }) : null
    return { total, cursor, deliveries: pageRows.map(deliveryOf) }
  }, orSqlDefect)

  const keyOf = (id: string) => {
    const key = parseDeliveryId(id)
    return key === undefined ? Effect.fail(missing(id)) : Effect.succeed(key)
  }

  const findDelivery = Effect.fnUntraced(function* (id: string) {
    const { hookId, eventId } = yield* keyOf(id)
    const rows = yield* rowsOf(DeliveryRow)(sql`
      SELECT ${columns} FROM ${log} WHERE hook_id = ${hookId} AND event_id = ${eventId}`)
    return rows[0] ?? (yield* missing(id))
  })

  const get = Effect.fn("Deliveries.get")(function* (id: string) {
    const row = yield* findDelivery(id)
    const [delivery] = yield* withAttempts(sql, row.hook_id, [row])
    return delivery!
  }, orSqlDefect)

  const replay = Effect.fn("Deliveries.replay")(function* (id: string, by: number | null) {
    const { hookId, eventId } = yield* keyOf(id)
    yield* findDelivery(id)
    return yield* queueAgain.one(hookId, eventId, by)
  }, orSqlDefect)

  const hookOf = (id: string) => Effect.map(keyOf(id), ({ hookId }) => hookId)

  return Deliveries.of({ list, hookOf, get, replay })
})
