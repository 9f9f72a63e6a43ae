// Builds Temporal's specification of a schedule (decisions A4): it must tick at every due instant, and at as few others as possible. Around
// a clock change Temporal's calendars omit skipped local times, take the other of two equal ones, or mistake a day for the day before. So
// instants that are due there are listed as such, and the days next to a change by their date.
import type { ScheduleSpec } from "@temporalio/client"
import { timeOfDay } from "../../../platform/primitives/calendar.ts"
import { parseDateTime } from "../../../platform/primitives/dates.ts"
import { type ClockChange, clockChanges, toLocal } from "../../../platform/primitives/zones.ts"
import { weekDays } from "../schema/clockTimes.ts"
import { parseCron } from "../triggers/periodic/cron.ts"
import { nextInstant } from "../triggers/periodic/instants.ts"
import type { ArmedSchedule } from "./PeriodicTicks.ts"

const DAY = 86_400_000
/** Range ahead for which clock changes are entered; reconciliation updates them. */
const AHEAD = 400 * DAY
/** Range that is longer than a schedule stays without an update. */
const ONCE = 3_650 * DAY
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
 * Converts an expression into Temporal's calendars, since Temporal reads expressions differently (it wants day of month and of week to
 * match both): one by day of month, one by day of week if either is enough. A superfluous tick does no harm: `L`, `W` and `#` become all
 * days that may match.
 */
const ofCron = (expression: string): ReadonlyArray<Entry> => {
  const cron = parseCron(expression)
  if (typeof cron === "string") return []
  const { either, hours, minutes, monthDays, months, weekDays: named } = cron
  const time = {
    minute: minutes.length === 60 ? "*" : minutes,
    hour: hours.length === 24 ? "*" : hours,
    month: months.size === 12 ? "*" : [...months].map((month) => MONTHS[month - 1]!)
  }
  const onDate = { dayOfMonth: monthDays ?? "*" }
  const onWeekday = named === null ? {} : { dayOfWeek: named.map((day) => capital(weekDays[(day + 6) % 7]!)) }
  if (named === null) return [{ ...time, ...onDate }]
  if (monthDays === null) return [{ ...time, ...onWeekday }]
  return either
    ? [
        { ...time, ...onDate },
        { ...time, ...onWeekday }
      ]
    : [{ ...time, ...onDate, ...onWeekday }]
}

/** Temporal accepts no negative phase, which an anchor before 1970 has. */
const everyFrom = (every: number, anchor: number) => ({ every, offset: ((anchor % every) + every) % every })

/** Returns the due instants in the range of skipped or doubled local times, and right after. */
const dueAround = (schedule: ArmedSchedule, { at, leap }: ClockChange): ReadonlyArray<number> => {
  const dueInstants: Array<number> = []
  const [from, to] = [at - Math.abs(leap) - 1, at + Math.abs(leap)]
  for (let due = nextInstant(schedule, from); due !== null && due <= to; due = nextInstant(schedule, due))
    dueInstants.push(due)
  return dueInstants
}

type Entry = Readonly<Record<string, unknown>> & { readonly dayOfWeek?: ReadonlyArray<string> }

/**
 * Calendars by date for the local days on which a clock leaps ahead: if midnight is skipped, Temporal mistakes their weekday for the one
 * before.
 */
const besideChanges = (entries: ReadonlyArray<Entry>, changes: ReadonlyArray<ClockChange>, zone: string) =>
  changes.flatMap(({ at, leap }) => {
    const local = new Date(toLocal(at, zone))
    const weekday = capital(weekDays[(local.getUTCDay() + 6) % 7]!)
    const date = {
      ...{ year: local.getUTCFullYear(), month: MONTHS[local.getUTCMonth()]! },
      dayOfMonth: local.getUTCDate()
    }
    return leap < 0
      ? []
      : entries.flatMap(({ dayOfWeek, ...entry }) => (dayOfWeek?.includes(weekday) ? [{ ...entry, ...date }] : []))
  })

const looksOf = (schedule: ArmedSchedule, now: number): ScheduleSpec => {
  const { config, zone } = schedule
  const minutes = timeOfDay(config.time_of_day) / MINUTE
  const clock = { hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0 }
  const changes = [...clockChanges(now - DAY, now + AHEAD, zone)]
  const calendars = (...entries: ReadonlyArray<Entry>) => ({
    calendars: [...entries, ...besideChanges(entries, changes, zone)] as NonNullable<ScheduleSpec["calendars"]>,
    intervals: changes.flatMap((change) => dueAround(schedule, change)).map((instant) => everyFrom(ONCE, instant)),
    timezone: zone
  })
  switch (config.schedule_type) {
    case "interval": {
      const amount = config.interval_amount ?? 1
      const start = config.starts_at === undefined ? undefined : parseDateTime(config.starts_at)?.date.getTime()
      const anchor = Math.ceil((start ?? schedule.armedOn) / SECOND) * SECOND
      // Days keep the wall clock. In UTC any interval does; in other zones a calendar ticks once a day at that time.
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
      const lastDayCalendars = config.month_days.includes(-1) ? lastDays.map((day) => ({ ...clock, ...day })) : []
      const weekdayCalendars = (config.month_weekdays ?? []).map(({ nth, week_day }) => ({
        ...clock,
        // The last one falls into the last seven days, of which each month has others: a superfluous tick does no harm.
        dayOfMonth: nth === -1 ? { start: 22, end: 31 } : { start: nth * 7 - 6, end: Math.min(31, nth * 7) },
        dayOfWeek: [capital(week_day)]
      }))
      return calendars(
        ...(days.length > 0 ? [{ ...clock, dayOfMonth: days }] : []),
        ...lastDayCalendars,
        ...weekdayCalendars
      )
    }
    case "cron":
      return calendars(...ofCron(config.cron_expression ?? ""))
    default:
      return calendars(clock)
  }
}

/** Last days of months, as calendars that operators can read; 2100 is no leap year. */
const lastDays = [
  { month: ["JANUARY", "MARCH", "MAY", "JULY", "AUGUST", "OCTOBER", "DECEMBER"], dayOfMonth: 31 },
  { month: ["APRIL", "JUNE", "SEPTEMBER", "NOVEMBER"], dayOfMonth: 30 },
  { month: "FEBRUARY", dayOfMonth: 29, year: { start: 2024, end: 2096, step: 4 } },
  { month: "FEBRUARY", dayOfMonth: 28, year: [1, 2, 3].map((n) => ({ start: 2024 + n, end: 2099, step: 4 })) }
]

const instantOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : parseDateTime(text)?.date

/** Returns the specification, within the schedule's start and end. */
export const specOf = (schedule: ArmedSchedule, now: number): ScheduleSpec => {
  const { ends_at, starts_at } = schedule.config
  const [startAt, endAt] = [instantOf(starts_at), instantOf(ends_at)]
  return {
    ...looksOf(schedule, now),
    ...(startAt === undefined ? {} : { startAt }),
    ...(endAt === undefined ? {} : { endAt })
  }
}
