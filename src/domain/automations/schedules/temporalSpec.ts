// The looks of Temporal at a schedule of ours (decisions A4), at every instant that is due and as seldom as can be beside them. It leaves out
// local times that a clock change skips, so the instants right after such changes are added where they are due.
import type { ScheduleSpec } from "@temporalio/client"
import { Cron, Result } from "effect"
import { timeOfDay } from "../../../ground/primitives/calendar.ts"
import { parseDateTime } from "../../../ground/primitives/dates.ts"
import { gaps, toLocal } from "../../../ground/primitives/zones.ts"
import { nextInstant } from "../triggers/periodic/instants.ts"
import { weekDays } from "../triggers/periodic/spec.ts"
import type { ArmedSchedule } from "./PeriodicTicks.ts"

const DAY = 86_400_000
/** Clock changes are entered this far ahead; reconcile brings them up to date. */
const AHEAD = 400 * DAY
const MINUTE = 60_000
const SECOND = 1_000
const MONTHS = [
  "JANUARY",
  "FEBRUARY",
  "MARCH",
  "APRIL",
  "MAY",
  "JUNE",
  "JULY",
  "AUGUST",
  "SEPTEMBER",
  "OCTOBER",
  "NOVEMBER",
  "DECEMBER"
] as const

const capital = (day: string) => day.toUpperCase() as "MONDAY"

const timeOf = (instant: number, zone: string) => {
  const local = new Date(toLocal(instant, zone))
  return { hour: local.getUTCHours(), minute: local.getUTCMinutes(), second: local.getUTCSeconds() }
}

/**
 * Temporal reads expressions otherwise (it wants day of month and of week to match both), so ours become calendars: one by day of
 * the month, one by day of the week where either is enough. A look too many does no harm.
 */
const ofCron = (expression: string): ReadonlyArray<object> => {
  const parsed = Cron.parse(expression.trim(), "UTC")
  if (Result.isFailure(parsed)) return []
  const { days, hours, minutes, months, weekdays } = parsed.success
  const list = (values: ReadonlySet<number>) => (values.size === 0 ? "*" : [...values])
  const time = {
    minute: list(minutes),
    hour: list(hours),
    month: months.size === 0 ? "*" : [...months].map((month) => MONTHS[month - 1]!)
  }
  const byDay = { ...time, dayOfMonth: list(days) }
  if (weekdays.size === 0) return [byDay]
  const byWeekday = { ...time, dayOfWeek: [...weekdays].map((day) => capital(weekDays[(day + 6) % 7]!)) }
  return days.size === 0 ? [byWeekday] : [byDay, byWeekday]
}

/** Temporal takes no phase below zero, as an anchor before 1970 has. */
const everyFrom = (every: number, anchor: number) => ({ every, offset: ((anchor % every) + every) % every })

const looksOf = (schedule: ArmedSchedule, now: number): ScheduleSpec => {
  const { config, zone } = schedule
  const minutes = timeOfDay(config.time_of_day) / MINUTE
  const clock = { hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0 }
  const due = (instant: number) => nextInstant(schedule, instant - 1) === instant
  const skipped = gaps(now, now + AHEAD, zone)
    .filter(due)
    .map((instant) => {
      const local = new Date(toLocal(instant, zone))
      const [year, month, dayOfMonth] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
      return { year, month: MONTHS[month]!, dayOfMonth, ...timeOf(instant, zone) }
    })
  const calendars = (...entries: ReadonlyArray<object>) => ({
    calendars: [...entries, ...skipped] as NonNullable<ScheduleSpec["calendars"]>,
    timezone: zone
  })
  switch (config.schedule_type) {
    case "interval": {
      const amount = config.interval_amount ?? 1
      const start = config.starts_at === undefined ? undefined : parseDateTime(config.starts_at)?.date.getTime()
      const anchor = Math.ceil((start ?? schedule.armedOn) / SECOND) * SECOND
      // Days keep the wall clock, which in UTC is any clock; elsewhere one look a day at that time.
      if (zone === "UTC" && config.interval_unit !== "minute" && config.interval_unit !== "hour") {
        return { intervals: [everyFrom(amount * DAY, anchor)] }
      }
      if (config.interval_unit === "day" || config.interval_unit === undefined) return calendars(timeOf(anchor, zone))
      const every = amount * { minute: MINUTE, hour: 60 * MINUTE }[config.interval_unit]
      return { intervals: [everyFrom(every, anchor)] }
    }
    case "weekly":
      return calendars({
        ...clock,
        dayOfWeek: config.week_days.filter((d) => weekDays.includes(d as never)).map(capital)
      })
    case "monthly": {
      const days = config.month_days.filter((day) => day > 0)
      const last = config.month_days.includes(-1) ? lastDays.map((day) => ({ ...clock, ...day })) : []
      return calendars(...(days.length > 0 ? [{ ...clock, dayOfMonth: days }] : []), ...last)
    }
    case "cron":
      return calendars(...ofCron(config.cron_expression ?? ""))
    default:
      return calendars(clock)
  }
}

/** The last days of months, as calendars show them to operators; 2100 is no leap year. */
const lastDays = [
  { month: ["JANUARY", "MARCH", "MAY", "JULY", "AUGUST", "OCTOBER", "DECEMBER"], dayOfMonth: 31 },
  { month: ["APRIL", "JUNE", "SEPTEMBER", "NOVEMBER"], dayOfMonth: 30 },
  { month: "FEBRUARY", dayOfMonth: 29, year: { start: 2024, end: 2096, step: 4 } },
  { month: "FEBRUARY", dayOfMonth: 28, year: [1, 2, 3].map((n) => ({ start: 2024 + n, end: 2099, step: 4 })) }
]

const instantOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : parseDateTime(text)?.date

/** Within the schedule's start and end. */
export const specOf = (schedule: ArmedSchedule, now: number): ScheduleSpec => {
  const { ends_at, starts_at } = schedule.config
  const [startAt, endAt] = [instantOf(starts_at), instantOf(ends_at)]
  return {
    ...looksOf(schedule, now),
    ...(startAt === undefined ? {} : { startAt }),
    ...(endAt === undefined ? {} : { endAt })
  }
}
