// Rows of the delivery log as its readers take them (decisions W8): a delivery, and an attempt of one.
import { Effect, Schema } from "effect"
import { formatDateTime, formatDateTimeOrNull } from "../../platform/primitives/dates.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { Attempt, type Delivery, DeliveryStatus, type DeliveryWithAttempts, deliveryId } from "./Delivery.ts"
import { HookType } from "./Hook.ts"

export const DeliveryRow = Schema.Struct({
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
export const deliveryColumns = Object.keys(DeliveryRow.fields).join(", ")

const AttemptRow = Schema.Struct({
  ...Attempt.fields,
  event_id: Schema.Int,
  attempted_on: Schema.Date,
  next_attempt_on: Schema.NullOr(Schema.Date)
})
const attemptColumns = Object.keys(AttemptRow.fields).join(", ")

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  delivery_id: deliveryId(row.hook_id, row.event_id),
  hook_id: row.hook_id,
  type: row.type,
  status: row.status,
  payload: JSON.parse(row.payload),
  created_on: formatDateTime(row.created_on),
  num_attempts: row.num_attempts,
  next_attempt_on: formatDateTimeOrNull(row.next_attempt_on)
})

const attemptOf = ({ event_id: _, ...row }: typeof AttemptRow.Type): Attempt => ({
  ...row,
  attempted_on: formatDateTime(row.attempted_on),
  next_attempt_on: formatDateTimeOrNull(row.next_attempt_on)
})

/** Deliveries of a hook with their attempts. */
export const withAttempts = (sql: Sql, hookId: number, rows: ReadonlyArray<DeliveryRow>) =>
  Effect.map(
    rowsOf(AttemptRow)(sql`
      SELECT ${sql.literal(attemptColumns)} FROM webhook_attempts
      WHERE hook_id = ${hookId} AND event_id = ANY(${rows.map(({ event_id }) => String(event_id))}::bigint[])
      ORDER BY event_id, attempt`),
    (attempts) => {
      const ofEvents = Map.groupBy(attempts, ({ event_id }) => event_id)
      return rows.map(
        (row): DeliveryWithAttempts => ({
          ...deliveryOf(row),
          attempts: (ofEvents.get(row.event_id) ?? []).map(attemptOf)
        })
      )
    }
  )

export interface DeliveryFilter {
  readonly status?: DeliveryStatus
  readonly type?: HookType
  readonly recordId?: number
  readonly since?: Date
  /** Not included. */
  readonly before?: Date
}

/** SQL conditions that select deliveries of the log. */
export const conditionsOf = (sql: Sql, { before, recordId, since, status, type }: DeliveryFilter) => [
  ...(status === undefined ? [] : [sql`status = ${status}`]),
  ...(type === undefined ? [] : [sql`type = ${type}`]),
  ...(recordId === undefined ? [] : [sql`record_id = ${recordId}`]),
  ...(since === undefined ? [] : [sql`created_on >= ${since}`]),
  ...(before === undefined ? [] : [sql`created_on < ${before}`])
]
