// Dates in expressions (developer-api.md 11.3): texts in UTC, `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`, as records store them.
import { formatDate, formatDateTime, parseDateTime } from "../primitives/dates.ts"
import { fail, kindOf, type Value } from "./Value.ts"

const DAY = 86_400_000

const momentOf = (value: Value) => {
  if (typeof value !== "string") return fail(`expects a date, and there is ${kindOf(value)}`)
  const moment = value.length > 40 ? undefined : parseDateTime(value)
  return moment ?? fail("expects a date `YYYY-MM-DD` or `YYYY-MM-DD HH:mm`")
}

const inYears = (date: Date, timed: boolean): string => {
  const year = date.getUTCFullYear()
  if (!(year >= 100 && year <= 9999)) return fail("the date is before the year 100 or after 9999")
  return timed ? formatDateTime(date) : formatDate(date)
}

export const dayOf = (value: Value): string => inYears(momentOf(value).date, false)

export const addDays = (value: Value, count: number): string => {
  const { date, timed } = momentOf(value)
  return inYears(new Date(date.getTime() + count * DAY), timed)
}

/** The last day of a shorter month stands for the days that it lacks. */
export const addMonths = (value: Value, count: number): string => {
  const { date, timed } = momentOf(value)
  const moved = new Date(date)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + count)
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(date.getUTCDate(), lastDay))
  return inYears(moved, timed)
}

/** Whole days from the day of one to the day of the other. */
export const daysBetween = (from: Value, to: Value): number =>
  Math.round((Date.parse(`${dayOf(to)}T00:00:00Z`) - Date.parse(`${dayOf(from)}T00:00:00Z`)) / DAY)

/** `weekday`: 1 is Monday, 7 Sunday. */
export const partOf = (value: Value, part: "year" | "month" | "day" | "weekday"): number => {
  const { date } = momentOf(value)
  if (part === "year") return date.getUTCFullYear()
  if (part === "month") return date.getUTCMonth() + 1
  return part === "day" ? date.getUTCDate() : ((date.getUTCDay() + 6) % 7) + 1
}
