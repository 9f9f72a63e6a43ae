// The delivery log of a hook from its oldest delivery on, each with its attempts (decisions W8): in pieces, so that a long log takes no
// memory, and no faster than its reader. Callers have been checked for the hook before they come here.
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { makeFairPlaces } from "../../platform/fairness/FairPlaces.ts"
import { ValidationError } from "../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { allDeliveries } from "./bundles/allDeliveries.ts"
import { type DeliveryWithAttempts, parseDeliveryId } from "./Delivery.ts"
import { conditionsOf, type DeliveryFilter, DeliveryRow, deliveryColumns, withAttempts } from "./deliveryRows.ts"

export interface ExportFilter extends DeliveryFilter {
  /** Class of the error of the last attempt (`tls_error`) or the complete error (`tls_error: cert has expired`). */
  readonly error?: string
}

/** Deliveries that one statement looks at, and of these the most that it gives. */
const PIECE = 2_000
const GIVEN = 100

/** Pieces read at the same time in a process. */
const exportSlots = makeFairPlaces({ places: 4, reserve: 4 })

const Last = Schema.Struct({ event_id: Schema.Int })
const Piece = Schema.Struct({ scanned: Schema.Int, through: Schema.NullOr(Schema.Int) })

export class DeliveryExport extends Context.Service<
  DeliveryExport,
  {
    /**
     * Exports the current log; later deliveries are not included.
     * @param after delivery after which the export continues
     */
    readonly read: (
      hook: { readonly hookId: number; readonly orgId: number },
      filter: ExportFilter,
      after?: string
    ) => Effect.Effect<Stream.Stream<DeliveryWithAttempts>, ValidationError>
  }
>()("millrace/webhooks/DeliveryExport") {
  static readonly layer = Layer.effect(
    DeliveryExport,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const columns = sql.literal(deliveryColumns)
  const log = sql`${allDeliveries(sql)} AS d`

  const filterCondition = ({ error, ...filter }: ExportFilter) =>
    sql.and([
      sql`true`,
      ...conditionsOf(sql, filter),
      ...(error === undefined
        ? []
        : [
            sql`EXISTS (
              SELECT 1 FROM webhook_attempts a WHERE a.hook_id = s.hook_id AND a.event_id = s.event_id AND a.attempt = s.num_attempts
                AND ${error} IN (a.error, split_part(a.error, ':', 1)))`
          ])
    ])

  /** Deliveries of the next slice of the log, and the position where the slice after it begins. */
  const piece = Effect.fnUntraced(function* (hookId: number, filter: ExportFilter, position: number, last: number) {
    const stretch = sql`
      SELECT ${columns} FROM ${log}
      WHERE hook_id = ${hookId} AND event_id > ${position} AND event_id <= ${last} ORDER BY event_id LIMIT ${PIECE}`
    const rows = yield* rowsOf(DeliveryRow)(sql`
      SELECT * FROM (${stretch}) s WHERE ${filterCondition(filter)} ORDER BY event_id LIMIT ${GIVEN}`)
    const deliveries = yield* withAttempts(sql, hookId, rows)
    if (rows.length === GIVEN) return { deliveries, next: Option.some(rows.at(-1)!.event_id) }
    const scannedPiece = yield* rowOf(Piece)(sql`
      SELECT count(*)::int AS scanned, max(event_id) AS through FROM (${stretch}) s`)
    const through = scannedPiece?.scanned === PIECE ? scannedPiece.through : null
    return { deliveries, next: Option.fromNullishOr(through) }
  }, orSqlDefect)

  const positionOf = Effect.fnUntraced(function* (hookId: number, after: string) {
    const key = parseDeliveryId(after)
    if (key?.hookId !== hookId)
      return yield* new ValidationError({ message: "after: expected the delivery_id of a delivery of this hook." })
    return key.eventId
  })

  const read = Effect.fn("DeliveryExport.read")(function* (
    { hookId, orgId }: { readonly hookId: number; readonly orgId: number },
    filter: ExportFilter,
    after?: string
  ) {
    const firstPosition = after === undefined ? 0 : yield* positionOf(hookId, after)
    yield* audit.record({ event: "hook.log_exported", orgId, details: { hook_id: hookId } })
    const newest = yield* rowOf(Last)(sql`
      SELECT event_id FROM ${log} WHERE hook_id = ${hookId} ORDER BY event_id DESC LIMIT 1`)
    const lastEventId = newest?.event_id ?? 0
    return Stream.paginate(firstPosition, (position) =>
      piece(hookId, filter, position, lastEventId).pipe(
        exportSlots.use(orgId),
        Effect.map(({ deliveries, next }) => [deliveries, next] as const)
      )
    )
  }, orSqlDefect)

  return DeliveryExport.of({ read })
})
