// A bundle: the deliveries of an event that an activation took as they were fanned out (docs/architecture.md, "Bundles").
import type { OutboxEvent } from "../../../engine/outbox/Event.ts"

/** As the statement that writes it takes it. */
export interface NewBundle extends Pick<OutboxEvent, "event_id" | "record_id" | "type" | "created_on"> {
  /** The body behind the id of the hook. */
  readonly rest: string
  readonly traceparent: string | null
  readonly hooks: Array<number>
}

/** One that an activation has. */
export interface Bundle extends Readonly<NewBundle> {
  /** Since when it counts, in milliseconds. */
  readonly since: number
  /** Deliveries whose result is not written. */
  left: number
  /** It is a row of its own still, as far as the activation knows: nobody has taken it apart. */
  whole: boolean
}
