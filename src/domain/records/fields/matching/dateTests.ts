// Date operands of record filters (developer-api.md 4.4): absolute and relative days, ranges, weekdays, quarters, months. Pure;
// relative days are those of a zone, others are UTC (1.3); weeks begin on Monday, months clamp to their end. "Within the next 7 days"
// counts today too.
import { Result } from "effect"
import { dayStart, addDays as shiftDays, addMonths as shiftMonths } from "../../../../platform/primitives/calendar.ts"
import { AFTER_ALL, DAYS, formatDate, momentOfInstant, parseDateTime } from "../../../../platform/primitives/dates.ts"
import { isZone, startOfDay, wallOf } from "../../../../platform/primitives/zones.ts"
import { nearestHint } from "../../../../platform/text/nearest.ts"
import { parseMoment } from "../input/moments.ts"
import { isObject } from "../input/writeInput.ts"
import type { Problem } from "../model/Field.ts"
import type { FilterContext } from "./filterTests.ts"
import { calendar } from "./matchTypes.ts"
import type { RecordFilter, Test } from "./RecordFilter.ts"

type Day = string
const MAX_OFFSET = 36_500

const boundedDay = (date: Date): Day => (date.getUTCFullYear() > 9999 ? AFTER_ALL : formatDate(date))
const addDays = (day: Day, days: number): Day => boundedDay(new Date(shiftDays(dayStart(day), days)))
const addMonths = (day: Day, months: number): Day => boundedDay(new Date(shiftMonths(dayStart(day), months)))

const add = { days: addDays, weeks: (day: Day, n: number) => addDays(day, 7 * n), months: addMonths }
const fixed: Readonly<Record<string, number>> = { today: 0, tomorrow: 1, yesterday: -1 }
const offsetPattern = /^num_(days|weeks|months)_(before|after)$/
export const relativeDateTypes = [
  "exact_date",
  ...Object.keys(fixed),
  ...["days", "weeks", "months"].flatMap((unit) => [`num_${unit}_before`, `num_${unit}_after`])
]

const rangePattern = /^(current|past|next)_(week|month|year)$/
export const relativeDateRangeTypes = [
  ...["current", "past", "next"].flatMap((side) => ["week", "month", "year"].map((unit) => `${side}_${unit}`)),
  ...["next_num_days", "past_num_days", "exact_range"]
]

/** Monday, the first of the month, the first of January. */
const startOf = (day: Day, unit: string): Day => {
  const date = new Date(dayStart(day))
  if (unit === "week") return addDays(day, -((date.getUTCDay() + 6) % 7))
  return unit === "month" ? `${day.slice(0, 7)}-01` : `${day.slice(0, 4)}-01-01`
}
const addUnits = (day: Day, unit: string, n: number): Day =>
  unit === "week" ? addDays(day, 7 * n) : addMonths(day, unit === "month" ? n : 12 * n)

export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
export const quarters = ["q1", "q2", "q3", "q4"]
export const monthNames = "january february march april may june july august september october november december".split(
  " "
)

interface Operand {
  readonly date: unknown
  readonly offset: unknown
  readonly end: unknown
}

const operandKeys = ["date", "offset_amount", "end_date"]

/** `"2026-04-01"` or `{ date?, offset_amount?, end_date? }`. */
const operandOf = ({ values = [], end_date }: RecordFilter): Result.Result<Operand, Problem> => {
  if (values.length > 1) return Result.fail("values: must hold one date")
  const value = values[0]?.value
  if (!isObject(value)) return Result.succeed({ date: value, offset: undefined, end: end_date })
  const stray = Object.keys(value).find((key) => !operandKeys.includes(key))
  if (stray !== undefined)
    return Result.fail(`values[0].value: has an unknown key \`${stray}\`${nearestHint(stray, operandKeys)}`)
  return Result.succeed({ date: value["date"], offset: value["offset_amount"], end: value["end_date"] ?? end_date })
}

const dayOf = (input: unknown, place: string): Result.Result<Day, Problem> => {
  const moment = typeof input === "string" ? parseMoment(input) : null
  return moment === null ? Result.fail(`${place}: must be a date \`YYYY-MM-DD\``) : Result.succeed(moment.slice(0, 10))
}
const exactDay = ({ date }: Operand) =>
  dayOf(date, typeof date === "string" || date === undefined ? "values[0].value" : "values[0].value.date")
const amountOf = ({ offset }: Operand): Result.Result<number, Problem> =>
  Number.isSafeInteger(offset) && (offset as number) >= 0 && (offset as number) <= MAX_OFFSET
    ? Result.succeed(offset as number)
    : Result.fail(`values[0].value.offset_amount: must be an integer from 0 to ${MAX_OFFSET}`)

const oneOf = (
  words: ReadonlyArray<string>,
  word: string | undefined,
  place: string
): Result.Result<string, Problem> =>
  word !== undefined && words.includes(word)
    ? Result.succeed(word)
    : Result.fail(`${place}: must be one of ${words.join(", ")}`)

const singleDay = (filter: RecordFilter, today: Day): Result.Result<Day, Problem> =>
  Result.gen(function* () {
    const type = yield* oneOf(relativeDateTypes, filter.relative_date_type ?? "exact_date", "relative_date_type")
    if (fixed[type] !== undefined) return addDays(today, fixed[type])
    const operand = yield* operandOf(filter)
    const offset = offsetPattern.exec(type)
    if (offset === null) return yield* exactDay(operand)
    const amount = yield* amountOf(operand)
    return add[offset[1] as keyof typeof add](today, offset[2] === "before" ? -amount : amount)
  })

const rangeOf = (filter: RecordFilter, today: Day): Result.Result<readonly [Day, Day], Problem> =>
  Result.gen(function* () {
    const memberName = "relative_date_range_type"
    const type = yield* oneOf(relativeDateRangeTypes, filter.relative_date_range_type, memberName)
    const named = rangePattern.exec(type)
    if (named !== null) {
      const [, side, unit = ""] = named
      const start = addUnits(startOf(today, unit), unit, side === "past" ? -1 : side === "next" ? 1 : 0)
      return [start, addDays(addUnits(start, unit, 1), -1)] as const
    }
    const operand = yield* operandOf(filter)
    if (type === "exact_range") {
      const start = yield* exactDay(operand)
      const end = yield* dayOf(operand.end, "end_date")
      return end < start ? yield* Result.fail("end_date: must not be before the date") : ([start, end] as const)
    }
    const amount = yield* amountOf(operand)
    return type === "next_num_days" ? [today, addDays(today, amount)] : [addDays(today, -amount), today]
  })

const calendarTest = (filter: RecordFilter): Result.Result<Test, Problem> => {
  const [unit, place, words, word] =
    filter.match_type === "on_weekday"
      ? (["isodow", "weekday", weekdays, filter.weekday] as const)
      : filter.match_type === "in_quarter_of_year"
        ? (["quarter", "quarter_of_year", quarters, filter.quarter_of_year] as const)
        : (["month", "month_of_year", monthNames, filter.month_of_year] as const)
  return Result.map(oneOf(words, word, place), (found) => ({ is: "calendar", unit, value: words.indexOf(found) + 1 }))
}

/** Start of all that is stored: a time that a zone shows before its first day, which no filter names, is of that day. */
const BEFORE_ALL = "0"

/** When a day begins in a zone, as moments are kept. */
const beginning = (day: Day | null, zone: string): string | null =>
  day === null || day === AFTER_ALL ? day : day <= DAYS.first ? BEFORE_ALL : momentOfInstant(startOfDay(day, zone))

/** Test of days in the zone, or in UTC without a zone. */
const daysIn =
  (zone: string | undefined) =>
  (from: Day | null, to: Day | null, overlap = false): Test => {
    const test = { is: "days", from, to, overlap } as const
    if (zone === undefined || zone === "UTC") return test
    const dayAfter = to === null || to === AFTER_ALL ? to : addDays(to, 1)
    return { ...test, moments: { from: beginning(from, zone), before: beginning(dayAfter, zone) } }
  }

const isRelative = ({ match_type, relative_date_range_type, relative_date_type = "exact_date" }: RecordFilter) =>
  match_type === "within" ? relative_date_range_type !== "exact_range" : relative_date_type !== "exact_date"

/** True if a filter counts from today. */
export const hasRelativeDates = (filters: ReadonlyArray<RecordFilter>): boolean =>
  filters.some(
    (filter) =>
      (filter.relative_date_type !== undefined || filter.relative_date_range_type !== undefined) && isRelative(filter)
  )

/** The positive test; `not_equal` is the opposite of `equal`. A range `is` a day, and is "on or after" one, by any of its days. */
export const dateTest = (filter: RecordFilter, context: FilterContext): Result.Result<Test, Problem> => {
  const { match_type } = filter
  const zone = filter.timezone ?? context.zone
  if (!isZone(zone)) return Result.fail(`timezone: must be an IANA time zone: ${JSON.stringify(zone)}`)
  if (calendar.includes(match_type)) return calendarTest(filter)
  const today = wallOf(context.now, zone).day
  // Absolute days are those of UTC (1.3), unless the filter itself names a zone.
  const days = daysIn(isRelative(filter) ? zone : filter.timezone)
  if (match_type === "within") return Result.map(rangeOf(filter, today), ([from, to]) => days(from, to))
  return Result.map(singleDay(filter, today), (day) => {
    switch (match_type) {
      case "before":
        return days(null, addDays(day, -1))
      case "on_or_before":
        return days(null, day)
      case "after":
        return days(addDays(day, 1), null)
      case "on_or_after":
        return days(day, null, true)
      default:
        return days(day, day, true)
    }
  })
}

/** Field-less filters on times: `{ date: ISO }`, a day or an instant (to the second), always inclusive. */
export const instantTest = (filter: RecordFilter): Result.Result<Test, Problem> =>
  Result.gen(function* () {
    for (const key of ["relative_date_type", "relative_date_range_type", "end_date"] as const) {
      if (filter[key] !== undefined && filter[key] !== "exact_date") {
        return yield* Result.fail(`${key}: a filter without field_id takes absolute dates only`)
      }
    }
    const operand = yield* operandOf(filter)
    const parsedMoment = typeof operand.date === "string" ? parseDateTime(operand.date) : undefined
    if (parsedMoment === undefined)
      return yield* Result.fail("values[0].value.date: must be an ISO 8601 date or datetime")
    const start = Math.floor(parsedMoment.date.getTime() / 1000) * 1000
    const from = new Date(start)
    const next = new Date(parsedMoment.timed ? start + 1000 : shiftDays(start, 1))
    const endInstant = next.getUTCFullYear() > 9999 ? null : next
    switch (filter.match_type) {
      case "before":
      case "on_or_before":
        return { is: "instants", from: null, before: endInstant }
      case "after":
      case "on_or_after":
        return { is: "instants", from, before: null }
      default:
        return { is: "instants", from, before: endInstant }
    }
  })
