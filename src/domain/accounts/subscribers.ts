// Notifies other modules in the transaction of a change: they register while their layer is built, and are called in that order.
import { Effect } from "effect"

export interface Subscribers<A, E = never> {
  readonly register: (subscriber: (change: A) => Effect.Effect<void, E>) => void
  readonly notify: (change: A) => Effect.Effect<void, E>
}

export const subscribers = <A, E = never>(): Subscribers<A, E> => {
  const registered: Array<(change: A) => Effect.Effect<void, E>> = []
  return {
    register: (subscriber) => void registered.push(subscriber),
    notify: (change) => Effect.forEach(registered, (told) => told(change), { discard: true })
  }
}
