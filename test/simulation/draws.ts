// Draws of a schedule: a small generator whose numbers follow from the seed alone.

export interface Draws {
  /** A number from 0 up to 1, without 1. */
  readonly next: () => number
  /** A whole number below `bound`. */
  readonly below: (bound: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <A>(list: ReadonlyArray<A>) => A
}

/** mulberry32. */
export const makeDraws = (seed: number): Draws => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return { next, below, chance: (share) => next() < share, pick: (list) => list[below(list.length)]! }
}
