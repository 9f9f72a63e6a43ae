// Deliveries as the API shows them (decisions W8) and their ids.
import { Schema } from "effect"
import { HookType } from "./Hook.ts"

export const deliveryStatuses = ["queued", "retrying", "delivered", "failed", "withheld", "expired"] as const
export const DeliveryStatus = Schema.Literals(deliveryStatuses).annotate({ identifier: "DeliveryStatus" })
export type DeliveryStatus = typeof DeliveryStatus.Type

/** Outcome of a POST as the API shows it. */
export const shownOutcome = {
  status_code: Schema.NullOr(Schema.Int),
  latency_ms: Schema.Int,
  error: Schema.NullOr(Schema.String),
  response_body: Schema.NullOr(Schema.String)
}

export const Attempt = Schema.Struct({
  attempted_on: Schema.String,
  ...shownOutcome,
  next_attempt_on: Schema.NullOr(Schema.String)
})
export type Attempt = typeof Attempt.Type

const fields = {
  delivery_id: Schema.String,
  hook_id: Schema.Int,
  type: HookType,
  status: DeliveryStatus,
  payload: Schema.Record(Schema.String, Schema.Unknown),
  created_on: Schema.String,
  num_attempts: Schema.Int,
  next_attempt_on: Schema.NullOr(Schema.String)
}
export const Delivery = Schema.Struct(fields).annotate({ identifier: "Delivery" })
export type Delivery = typeof Delivery.Type

export const DeliveryWithAttempts = Schema.Struct({ ...fields, attempts: Schema.Array(Attempt) }).annotate({
  identifier: "DeliveryWithAttempts"
})
export type DeliveryWithAttempts = typeof DeliveryWithAttempts.Type

/** Bytes of an answer that the log keeps (W8). */
export const MAX_LOGGED_BODY = 2048

/** The `webhook-id`: one per event and hook, the same for every retry and replay (W7). Opaque to receivers. */
export const deliveryId = (hookId: number, eventId: number): string =>
  `msg_${hookId.toString(36)}_${eventId.toString(36)}`

/** Key that a delivery id encodes, or `undefined` if it is invalid. */
export const parseDeliveryId = (id: string): { readonly hookId: number; readonly eventId: number } | undefined => {
  const match = /^msg_([1-9a-z][0-9a-z]{0,9})_([1-9a-z][0-9a-z]{0,9})$/.exec(id)
  if (match === null) return undefined
  const [hookId, eventId] = [Number.parseInt(match[1]!, 36), Number.parseInt(match[2]!, 36)]
  return Number.isSafeInteger(hookId) && Number.isSafeInteger(eventId) ? { hookId, eventId } : undefined
}
