// What a schedule works on: hooks with their settings, changes of records in transactions, and how much goes wrong.
import type { Draws } from "./draws.ts"

const TYPES = ["record.create", "record.update", "record.delete", "record.restore"] as const
type Type = (typeof TYPES)[number]

interface DrawnHook {
  readonly types: ReadonlyArray<Type>
  readonly atOnce: number | null
  readonly perMinute: number | null
}

export interface DrawnEvent {
  readonly type: Type
  readonly record: number
}

export interface DrawnWorld {
  readonly hooks: ReadonlyArray<DrawnHook>
  /** Events of one transaction each. */
  readonly changes: ReadonlyArray<ReadonlyArray<DrawnEvent>>
  /** Faults that may happen in all: deaths, lost connections, activities given to a second process. */
  readonly faults: number
  /** Share of the messages with Temporal that are lost, doubled, or heard by one side alone. */
  readonly lossy: number
  /** Share of the requests that a receiver does not answer with success. */
  readonly failing: number
  readonly processes: number
}

interface Sizes {
  readonly hooks: number
  readonly records: number
}

export const drawWorld = (draws: Draws, sizes: Sizes): DrawnWorld => {
  const hook = (): DrawnHook => ({
    types: TYPES.filter((_, at) => at < 2 || draws.chance(0.5)),
    atOnce: draws.chance(0.3) ? 1 + draws.below(2) : null,
    perMinute: draws.chance(0.2) ? 4 + draws.below(4) : null
  })
  const drawnIds = new Set<number>()
  /** A record's creation is the first that happens to it. */
  const event = (): DrawnEvent => {
    const record = draws.below(sizes.records)
    const type = drawnIds.has(record)
      ? draws.pick(["record.update", "record.update", ...TYPES.slice(2)])
      : "record.create"
    drawnIds.add(record)
    return { type: type as Type, record }
  }
  const changes = Array.from({ length: 2 + draws.below(4) }, () => Array.from({ length: 1 + draws.below(3) }, event))
  return {
    hooks: Array.from({ length: sizes.hooks }, hook),
    changes,
    faults: draws.pick([0, 1, 2, 3]),
    lossy: draws.pick([0, 0.1, 0.3]),
    failing: draws.pick([0, 0.2, 0.5]),
    processes: draws.pick([1, 1, 2])
  }
}
