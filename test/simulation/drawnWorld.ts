// How much is done in a schedule and how much goes wrong, whatever it is about.
import type { Draws } from "./draws.ts"

export interface DrawnWorld<Change = unknown> {
  /** Each in a transaction of its own. */
  readonly changes: ReadonlyArray<Change>
  /** Faults that may happen in all: deaths, lost connections, activities given to a second process. */
  readonly faults: number
  /** Share of the messages with Temporal that are lost, doubled, or heard by one side alone. */
  readonly lossy: number
  /** Share of the requests that a receiver does not answer with success. */
  readonly failing: number
  readonly processes: number
}

export const drawTroubles = (draws: Draws): Omit<DrawnWorld, "changes"> => ({
  faults: draws.pick([0, 1, 2, 3]),
  lossy: draws.pick([0, 0.1, 0.3]),
  failing: draws.pick([0, 0.2, 0.5]),
  processes: draws.pick([1, 1, 2])
})
