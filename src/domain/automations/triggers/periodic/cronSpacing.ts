// How close the instants of a cron expression ever come to each other (developer-api.md 7.5 rule 2), from its parts instead of by
// walking through them: those of a sparse expression are years apart, and each takes long to find.
import { Cron } from "effect"

const MINUTE = 60_000
const DAY = 86_400_000
/** Every date falls on every weekday within 28 years, 29 February too. */
const CYCLE_DAYS = 28 * 365 + 7
const CYCLE_START = Date.UTC(2024, 0, 1)

const all = (count: number) => Array.from({ length: count }, (_, at) => at)
const allowed = (values: ReadonlySet<number>, count: number) =>
  values.size === 0 ? all(count) : [...values].toSorted((a, b) => a - b)

const timesOfDay = ({ hours, minutes }: Cron.Cron): ReadonlyArray<number> =>
  allowed(hours, 24).flatMap((hour) => allowed(minutes, 60).map((minute) => (hour * 60 + minute) * MINUTE))

/** The days of the cycle, each as its first instant. */
const daysOf = (cron: Cron.Cron, time: number): ReadonlyArray<number> => {
  const { days, months, weekdays } = cron
  // Whether a day that only one of date and weekday names will do is Cron's own to say, and the same for all such days.
  let either: boolean | undefined
  return all(CYCLE_DAYS)
    .map((day) => CYCLE_START + day * DAY)
    .filter((at) => {
      const date = new Date(at)
      if (months.size > 0 && !months.has(date.getUTCMonth() + 1)) return false
      const onDate = days.size === 0 || days.has(date.getUTCDate())
      const onWeekday = weekdays.size === 0 || weekdays.has(date.getUTCDay())
      if (onDate === onWeekday) return onDate
      either ??= Cron.match(cron, new Date(at + time))
      return either
    })
}

const least = (values: ReadonlyArray<number>): number =>
  values.reduce((found, at, index) => (index === 0 ? found : Math.min(found, at - values[index - 1]!)), Infinity)

/** Milliseconds on a clock that never changes; null for a day that no year has, such as 30 February. */
export const leastSpacing = (cron: Cron.Cron): number | null => {
  const times = timesOfDay(cron)
  const days = daysOf(cron, times[0]!)
  if (days.length === 0) return null
  const overnight = least([...days, days[0]! + CYCLE_DAYS * DAY]) - (times.at(-1)! - times[0]!)
  return Math.min(least(times), overnight)
}
