// The body and the row of a delivery that is in a bundle.

import type { ClaimedHook, DeliveryRow } from "../mailboxRows.ts"
import { bodyOf, type NotifiedEvent } from "../notifiedEvents.ts"
import type { Bundle } from "./Bundle.ts"

const HEAD = '{"hook_id":'

/** Body JSON after `{"hook_id":N`: identical for all hooks. */
export const restOf = (event: NotifiedEvent) => JSON.stringify(bodyOf(0, event)).slice(HEAD.length + 1)

/** SQL expression for the complete body, from SQL expressions for the hook's id and the rest. */
export const payloadIn = (hookId: string, rest: string) => `'${HEAD}' || ${hookId} || ${rest}`

export const rowOf = (bundle: Bundle, hook: ClaimedHook): DeliveryRow => {
  const { created_on, event_id, record_id, rest, traceparent, type } = bundle
  const { hook_id } = hook
  return {
    ...{ hook_id, event_id, record_id, created_on, type, traceparent, hook, bundle },
    ...{ ordered: record_id !== null, tries: 0, claims: 1, num_attempts: 0 },
    payload: `${HEAD}${hook_id}${rest}`,
    kind: "delivery",
    row_id: `${hook_id} ${event_id}`
  }
}
