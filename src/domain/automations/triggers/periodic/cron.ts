// Parses cron expressions of five fields (developer-api.md 7.5 rule 2) with `L`, `LW`, `W`, `#`, `?`, names and macros such as `@daily`,
// and yields the wall clock times that match. If day of month and day of week are both named, either is enough, unless one of them begins
// with `*`, as in cron.
import { BoundedMap } from "../../../../platform/primitives/BoundedMap.ts"
import { type CronField, fieldBounds, fieldOf } from "./cronFields.ts"

const MINUTE = 60_000
export const DAY = 86_400_000

export interface Cron {
  /** Milliseconds after midnight, ascending. */
  readonly times: ReadonlyArray<number>
  readonly hours: ReadonlyArray<number>
  readonly minutes: ReadonlyArray<number>
  /** Months, counted from 1. */
  readonly months: ReadonlySet<number>
  /** Days of the month that can match at all; null: every one. */
  readonly monthDays: ReadonlyArray<number> | null
  /** Days of the week that can match at all, Sunday is 0; null: every one. */
  readonly weekDays: ReadonlyArray<number> | null
  /** True if day of month and day of week are named, and either is enough. */
  readonly either: boolean
  /** True if the hour or the minute is `*` or a step: it counts elapsed time through a clock change, instead of local times. */
  readonly elapsed: boolean
  /** Returns true if a local day matches. */
  readonly isDay: (midnight: number) => boolean
}

const macros: ReadonlyMap<string, string> = new Map([
  ["@HOURLY", "0 * * * *"],
  ["@DAILY", "0 0 * * *"],
  ["@MIDNIGHT", "0 0 * * *"],
  ["@WEEKLY", "0 0 * * 0"],
  ["@MONTHLY", "0 0 1 * *"],
  ["@YEARLY", "0 0 1 1 *"],
  ["@ANNUALLY", "0 0 1 1 *"]
])

const sorted = (values: ReadonlySet<number>) => [...values].toSorted((a, b) => a - b)

/** Cache of parsed expressions, since the same ones are needed again and again. */
const cronCache = new BoundedMap<string, Cron | string>(1_000)

/** Parses an expression, or returns the reason why it is invalid, worded to stand after the expression. */
export const parseCron = (expression: string): Cron | string => {
  const cron = cronCache.get(expression) ?? readCron(expression)
  cronCache.set(expression, cron)
  return cron
}

const readCron = (expression: string): Cron | string => {
  const text = expression.trim().toUpperCase()
  const fields = (macros.get(text) ?? text).split(/\s+/)
  if (fields.length !== 5) return "is no cron expression of five fields"
  const read = fields.map((field, n) => fieldOf(field, fieldBounds[n]!))
  const wrong = read.find((field) => typeof field === "string")
  if (wrong !== undefined) return `is no cron expression: ${wrong}`
  const [minute, hour, onDate, month, onWeekday] = read as unknown as [
    CronField,
    CronField,
    CronField,
    CronField,
    CronField
  ]
  const [minutes, hours] = [sorted(minute.values), sorted(hour.values)]
  const either = !onDate.star && !onWeekday.star
  const dated = (date: Date) => onDate.open || onDate.days.some((day) => day(date))
  const weekly = (date: Date) => onWeekday.open || onWeekday.days.some((day) => day(date))
  return {
    ...{ hours, minutes, either },
    times: hours.flatMap((one) => minutes.map((other) => (one * 60 + other) * MINUTE)),
    months: month.values,
    monthDays: onDate.open ? null : sorted(onDate.values),
    weekDays: onWeekday.open ? null : sorted(onWeekday.values),
    elapsed: [minute, hour].some(({ open, step }) => open || step),
    isDay: (midnight) => {
      const date = new Date(midnight)
      if (!month.values.has(date.getUTCMonth() + 1)) return false
      return either ? dated(date) || weekly(date) : dated(date) && weekly(date)
    }
  }
}

/** Every date falls on every weekday within 28 years, 29 February too; a nearest weekday lies within one of them. */
const HORIZON_DAYS = 28 * 366

/** Yields the matching local times from `local` on, ascending, milliseconds as if UTC; before `until`, if given. */
export function* cronTimes({ isDay, times }: Cron, local: number, until = Number.POSITIVE_INFINITY): Iterable<number> {
  const firstMidnight = Math.floor(local / DAY) * DAY
  const end = Math.min(until, firstMidnight + HORIZON_DAYS * DAY)
  for (let midnight = firstMidnight; midnight < end; midnight += DAY) {
    if (!isDay(midnight)) continue
    for (const time of times) if (midnight + time >= local && midnight + time < until) yield midnight + time
  }
}
