// Finds when the next attempt of a step may begin (developer-api.md 7.13 `retry.window`): hours on the clock of the automation's zone. Pure.
import { dayStart, timeOfDay } from "../../../platform/primitives/calendar.ts"
import { toInstant, wallOf } from "../../../platform/primitives/zones.ts"
import { weekDays } from "../schema/clockTimes.ts"
import type { RetryWindow } from "../schema/RetryPolicy.ts"

const DAY = 86_400_000
/** Days ahead that are searched: a clock change may swallow the window of the only weekday. */
const SEARCHED_DAYS = 15

/**
 * Returns the first instant from `instant` on at which the window is open. A local time that a clock change leaves out means the instant
 * after the gap, one that is doubled means the first.
 */
export const inWindow = ({ from, to, week_days = [] }: RetryWindow, zone: string, instant: number): number => {
  const today = dayStart(wallOf(instant, zone).day)
  const closing = timeOfDay(to) <= timeOfDay(from) ? DAY + timeOfDay(to) : timeOfDay(to)
  // The window of the day before may still be open.
  for (let day = today - DAY; day <= today + SEARCHED_DAYS * DAY; day += DAY) {
    if (week_days.length > 0 && !week_days.includes(weekDays[(new Date(day).getUTCDay() + 6) % 7]!)) continue
    const opensAt = toInstant(day + timeOfDay(from), zone, "next")
    const closesAt = toInstant(day + closing, zone, "next")
    if (instant < closesAt && opensAt < closesAt) return Math.max(instant, opensAt)
  }
  return instant
}
