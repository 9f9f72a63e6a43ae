// Computes the shortest distance between instants of a cron expression (developer-api.md 7.5 rule 2), from its parts instead of by
// iterating: the instants of a sparse expression are years apart, and each takes long to find.
import { type Cron, DAY } from "./cron.ts"

/** Every date falls on every weekday within 28 years, 29 February too. */
const CYCLE_DAYS = 28 * 365 + 7
const CYCLE_START = Date.UTC(2024, 0, 1)

const least = (values: ReadonlyArray<number>): number =>
  values.reduce((found, at, index) => (index === 0 ? found : Math.min(found, at - values[index - 1]!)), Infinity)

const spacings = new WeakMap<Cron, number | null>()

/** Returns milliseconds on a clock that never changes; null for a day that no year has, such as 30 February. */
export const leastSpacing = (cron: Cron): number | null => {
  const cachedSpacing = spacings.get(cron)
  if (cachedSpacing !== undefined) return cachedSpacing
  const spacing = spacingOf(cron)
  spacings.set(cron, spacing)
  return spacing
}

const spacingOf = ({ isDay, times }: Cron): number | null => {
  const days = Array.from({ length: CYCLE_DAYS }, (_, day) => CYCLE_START + day * DAY).filter(isDay)
  if (days.length === 0) return null
  const overnight = least([...days, days[0]! + CYCLE_DAYS * DAY]) - (times.at(-1)! - times[0]!)
  return Math.min(least(times), overnight)
}
