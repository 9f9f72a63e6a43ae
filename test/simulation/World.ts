// What a schedule is about, to the schedule: a database that it puts back to its beginning, what it draws, who changes records, and what has to hold
// at the end.
import type { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Database } from "./database.ts"
import type { DrawnWorld } from "./drawnWorld.ts"
import type { Draws } from "./draws.ts"
import type { Outcome } from "./Outcome.ts"
import type { Surroundings } from "./processes.ts"

export interface Writer {
  /** Name of its sessions. */
  readonly owner: string
  readonly isBusy: () => boolean
  /** Makes a change in a transaction, and wakes the relays once it has committed. */
  readonly write: (change: never) => void
  readonly close: () => void
}

export interface World<Drawn extends DrawnWorld = DrawnWorld> extends Pick<Database, "sql" | "url" | "watch"> {
  /** Settings of its processes. */
  readonly env: Readonly<Record<string, string>>
  /** True if processes reconcile runs and workflows now and then. */
  readonly reconciles: boolean
  readonly draw: (draws: Draws) => Drawn
  /** As it was at the beginning, with what a schedule has drawn. */
  readonly reset: (drawn: Drawn) => Effect.Effect<void, SqlError>
  readonly makeWriter: (surroundings: Surroundings, poke: () => void) => Writer
  /** What is left to do, in words; empty if nothing is. */
  readonly remaining: Effect.Effect<string, SqlError>
  /** Sentences on what is wrong; none if all holds. */
  readonly violations: (outcome: Outcome<Drawn>) => Effect.Effect<ReadonlyArray<string>, SqlError>
}
