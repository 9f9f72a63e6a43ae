// A row of the table: two sides that do the same work on the same Postgres, measured alternately, and what we aim at.
import { Data, type Effect, type Scope } from "effect"
import type { MachineFailed } from "./machine.ts"

/** The peer of a row cannot be had here. */
export class ProductMissing extends Data.TaggedError("ProductMissing")<{ readonly message: string }> {}

export class BenchFailed extends Data.TaggedError("BenchFailed")<{ readonly message: string }> {}

/** What else went wrong, as a failure of the measurement. */
export const benchFailed = (error: unknown) =>
  new BenchFailed({ message: String((error as { readonly message?: string }).message ?? error) })

/** Numbers of one measurement by name; the row's `measure` is the one that is compared. */
export type Sample = Readonly<Record<string, number>>

export type Measure = (seconds: number) => Effect.Effect<Sample, BenchFailed | MachineFailed>

export interface Sides {
  /** Brings both sides to where a process is that has run for long; one measurement of each, where nothing is said. */
  readonly warm?: Effect.Effect<unknown, BenchFailed | MachineFailed>
  readonly ours: Measure
  readonly peer: Measure
}

export interface Row {
  readonly name: string
  readonly work: string
  readonly peer: string
  /** The member of a sample that counts, and its unit. */
  readonly measure: string
  readonly unit: string
  /** True if more of it is better. */
  readonly more: boolean
  /** Bound of ours / peer: at least this when more is better, at most otherwise. */
  readonly aim: number
  /** The aim is a bound of our own figure, in its unit, and not of the ratio. */
  readonly absolute?: boolean
  readonly prepare: Effect.Effect<Sides, BenchFailed | MachineFailed | ProductMissing, Scope.Scope>
}
