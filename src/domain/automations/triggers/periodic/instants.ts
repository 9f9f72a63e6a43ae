// Computes when a schedule comes due (developer-api.md 7.5 rule 2). Pure. It iterates over wall clock times and converts them into
// instants, so that clock changes come out as the rule says.
import { dayStart, lastDay, timeOfDay } from "../../../../platform/primitives/calendar.ts"
import { parseDateTime as parse } from "../../../../platform/primitives/dates.ts"
import { clockChanges, toInstant, toLocal, wallOf } from "../../../../platform/primitives/zones.ts"
import { weekDays } from "../../schema/clockTimes.ts"
import { type Cron, cronTimes, parseCron } from "./cron.ts"
import type { ScheduleConfig } from "./ScheduleConfig.ts"

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000
const unitMillis = { minute: MINUTE, hour: HOUR, day: DAY } as const
/** Longest gap between two instants: 29 February, on a weekday by cron. */
const HORIZON_DAYS = 28 * 366
/** Clock changes move a wall clock by less than this. */
const SHIFT = 3 * HOUR

const parseDateTime = (text: string): number | null => parse(text)?.date.getTime() ?? null

export interface Schedule {
  readonly config: ScheduleConfig
  /** IANA zone. */
  readonly zone: string
  /** Epoch milliseconds of the activation: intervals without `starts_at` count from it. */
  readonly armedOn: number
}

const dayMatches = (config: ScheduleConfig, local: number): boolean => {
  const date = new Date(local)
  switch (config.schedule_type) {
    case "weekly":
      return config.week_days.includes(weekDays[(date.getUTCDay() + 6) % 7]!)
    case "monthly": {
      const day = date.getUTCDate()
      const lastDayOfMonth = lastDay(date.getUTCFullYear(), date.getUTCMonth())
      if (config.month_days.includes(day) || (day === lastDayOfMonth && config.month_days.includes(-1))) return true
      const weekDay = weekDays[(date.getUTCDay() + 6) % 7]!
      return (config.month_weekdays ?? []).some(
        ({ nth, week_day }) =>
          week_day === weekDay && (nth === -1 ? day > lastDayOfMonth - 7 : Math.ceil(day / 7) === nth)
      )
    }
    default:
      return true
  }
}

const cronOf = (config: ScheduleConfig): Cron | undefined => {
  const cron = config.schedule_type === "cron" ? parseCron(config.cron_expression ?? "") : ""
  return typeof cron === "string" ? undefined : cron
}

/** Local times of the schedule from `local` on, ascending. */
function* localTimes({ config }: Schedule, local: number): Iterable<number> {
  if (config.schedule_type === "cron") {
    const cron = cronOf(config)
    if (cron !== undefined) yield* cronTimes(cron, local)
    return
  }
  const time = timeOfDay(config.time_of_day)
  const midnight = Math.floor(local / DAY) * DAY
  for (let day = 0; day <= HORIZON_DAYS; day++) {
    const localTime = midnight + day * DAY + time
    if (localTime >= local && dayMatches(config, midnight + day * DAY)) yield localTime
  }
}

const nextInterval = (schedule: Schedule, after: number): number | null => {
  const { interval_amount, interval_unit, starts_at } = schedule.config
  if (interval_amount === undefined || interval_unit === undefined) return null
  const start = starts_at === undefined ? null : parseDateTime(starts_at)
  const anchor = start ?? schedule.armedOn
  const firstIndex = start === null ? 1 : 0
  if (interval_unit !== "day") {
    const step = interval_amount * unitMillis[interval_unit]
    const k = Math.max(firstIndex, Math.floor((after - anchor) / step) + 1)
    return anchor + k * step
  }
  // Days keep the wall clock.
  const local = toLocal(anchor, schedule.zone)
  const step = interval_amount * DAY
  // The wall clock time of a doubled hour would mean the first of the two.
  const nthInstant = (k: number) => (k === 0 ? anchor : toInstant(local + k * step, schedule.zone, "next"))
  let k = Math.max(firstIndex, Math.floor((toLocal(after, schedule.zone) - local) / step) - 1)
  while (nthInstant(k) <= after) k++
  return nthInstant(k)
}

/** Iterates by the wall clock as it runs: times that a clock change skips are omitted, and those that it shows twice count twice. */
const nextElapsed = (cron: Cron, zone: string, after: number): number | null => {
  let from = after
  let offset = toLocal(from, zone) - from
  let [local] = cronTimes(cron, from + offset + 1)
  while (local !== undefined) {
    const [change] = clockChanges(from, local - offset, zone)
    if (change === undefined) return local - offset
    const wall = change.at + offset
    from = change.at
    offset += change.leap
    const firstLocal = from + offset
    if (firstLocal < wall) local = cronTimes(cron, firstLocal, wall)[Symbol.iterator]().next().value ?? local
    else if (local < firstLocal) [local] = cronTimes(cron, firstLocal)
    if (local === firstLocal) return from
  }
  return null
}

const nextByWall = (schedule: Schedule, from: number): number | null => {
  for (const local of localTimes(schedule, toLocal(from, schedule.zone) - SHIFT)) {
    const instant = toInstant(local, schedule.zone, "next")
    if (instant > from) return instant
  }
  return null
}

const nextOfType = (schedule: Schedule, from: number): number | null => {
  if (schedule.config.schedule_type === "interval") return nextInterval(schedule, from)
  const cron = cronOf(schedule.config)
  return cron?.elapsed === true ? nextElapsed(cron, schedule.zone, from) : nextByWall(schedule, from)
}

/** Returns the day of `skip_dates` on which an instant falls. */
const skippedDay = ({ config: { skip_dates = [] }, zone }: Schedule, instant: number): string | undefined => {
  if (skip_dates.length === 0) return undefined
  const { day } = wallOf(instant, zone)
  return skip_dates.includes(day) ? day : undefined
}

/** Returns the first instant after `after`, within `starts_at` and `ends_at` and on no day of `skip_dates`; null if there is none. */
export const nextInstant = (schedule: Schedule, after: number): number | null => {
  const { ends_at, starts_at } = schedule.config
  const end = ends_at === undefined ? null : parseDateTime(ends_at)
  let from = Math.max(after, starts_at === undefined ? after : (parseDateTime(starts_at) ?? after) - 1)
  for (;;) {
    const next = nextOfType(schedule, from)
    if (next === null || (end !== null && next > end)) return null
    const day = skippedDay(schedule, next)
    if (day === undefined) return next
    // A clock that is put back past midnight shows the end of the day twice: the second time is passed instant by instant.
    from = Math.max(next, toInstant(dayStart(day) + DAY, schedule.zone, "next") - 1)
  }
}

/** Returns the next instants after `after`, at most `count`. */
export const nextInstants = (schedule: Schedule, after: number, count: number): ReadonlyArray<number> => {
  const instants: Array<number> = []
  for (
    let instant = nextInstant(schedule, after);
    instant !== null && instants.length < count;
    instant = nextInstant(schedule, instant)
  ) {
    instants.push(instant)
  }
  return instants
}

/** Moves an instant on skipped days to the last one before them. */
const beforeSkipped = (schedule: Schedule, instant: number): number => {
  let lastInstant = instant
  for (let day = skippedDay(schedule, lastInstant); day !== undefined; day = skippedDay(schedule, lastInstant))
    lastInstant = toInstant(dayStart(day), schedule.zone, "next") - 1
  return lastInstant
}

/** Returns the latest instant in `(after, now]`: after a downtime only that one is due. */
export const latestInstant = (schedule: Schedule, after: number, now: number): number | null => {
  const until = beforeSkipped(schedule, now)
  for (const days of [1 / 24, 1, 8, 40, 400, HORIZON_DAYS]) {
    const from = Math.max(after, until - days * DAY)
    let latest: number | null = null
    for (
      let instant = nextInstant(schedule, from);
      instant !== null && instant <= until;
      instant = nextInstant(schedule, instant)
    )
      latest = instant
    if (latest !== null || from === after) return latest
  }
  return null
}
