// What a schedule of webhooks works on: hooks with their settings, and changes of records in transactions.
import { type DrawnWorld, drawTroubles } from "../drawnWorld.ts"
import type { Draws } from "../draws.ts"

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

/** A change has the events of one transaction. */
export interface DrawnHooks extends DrawnWorld<ReadonlyArray<DrawnEvent>> {
  readonly hooks: ReadonlyArray<DrawnHook>
}

interface Sizes {
  readonly hooks: number
  readonly records: number
}

export const drawHooks = (draws: Draws, sizes: Sizes): DrawnHooks => {
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
  const hooks = Array.from({ length: sizes.hooks }, hook)
  return { hooks, changes, ...drawTroubles(draws) }
}
