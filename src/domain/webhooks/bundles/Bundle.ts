// A bundle: the deliveries of an event that an activation took as they were fanned out (docs/architecture/flow.md, "Bundles").
import type { OutboxEvent } from "../../../engine/outbox/Event.ts"

/** Bundle as the statement that inserts it takes it. */
export interface NewBundle extends Pick<OutboxEvent, "event_id" | "record_id" | "type" | "created_on"> {
  /** Body JSON after `{"hook_id":N`. */
  readonly rest: string
  readonly traceparent: string | null
  readonly hooks: Array<number>
}

/** Bundle that an activation owns. */
export interface Bundle extends Readonly<NewBundle> {
  /** Since when it counts, in milliseconds. */
  readonly since: number
  /** Deliveries whose result is not written. */
  left: number
  /** True until the activation knows that the bundle was split into rows of the queue. */
  whole: boolean
}

/** True if the delivery is still in a bundle, as far as the activation knows. */
export const isBundled = ({ bundle }: { readonly bundle?: Bundle }) => bundle?.whole === true

/** Bundles of those deliveries that are still in one. */
export const bundlesOf = (rows: ReadonlyArray<{ readonly bundle?: Bundle }>): ReadonlyArray<Bundle> => [
  ...new Set(rows.filter(isBundled).flatMap(({ bundle }) => bundle ?? []))
]
