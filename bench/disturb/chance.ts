// Chance that can be repeated: moments drawn from a seed that is printed (mulberry32).

export const chanceOf = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** `count` moments (ms from the start) in order: one at random in each of as many equal parts of the duration. */
export const momentsOf = (seed: number, count: number, durationMillis: number): ReadonlyArray<number> => {
  const chance = chanceOf(seed)
  return Array.from({ length: count }, (_, i) => Math.round(((i + chance()) / count) * durationMillis))
}
