// Dates from values (decisions A9): moments, relative dates, dates written as text. Pure.
import { addDays, addMonths, movedDay } from "../../../platform/primitives/calendar.ts"
import { momentOfInstant, parseDateTime } from "../../../platform/primitives/dates.ts"
import { startOfDay, toInstant, toLocal, wallOf } from "../../../platform/primitives/zones.ts"
import type { ResolvedDate } from "../model/Resolver.ts"

/** Calendar day, or an instant in epoch milliseconds; `today`: the global `current_date`, whose hours count from now. */
export type Moment =
  | { readonly timed: false; readonly day: string; readonly today?: number }
  | { readonly timed: true; readonly at: number }

export type DateUnit = "hour" | "day" | "week" | "month"

const HOUR = 3_600_000
const FIRST_YEAR = 100
const LAST_YEAR = 9999

/** Returns the moment of a stored cell. */
export const storedMoment = (text: string): Moment =>
  text.length <= 10 ? { timed: false, day: text } : { timed: true, at: Date.parse(`${text.replace(" ", "T")}Z`) }

export const todayIn = (now: Date, zone: string): Moment => ({
  timed: false,
  day: wallOf(now.getTime(), zone).day,
  today: now.getTime()
})

const inRange = (moment: Moment): Moment | null => {
  if (moment.timed && !Number.isFinite(moment.at)) return null
  const text = moment.timed ? (Math.abs(moment.at) < 8.64e15 ? new Date(moment.at).toISOString() : "") : moment.day
  const year = /^\d{4}-/.test(text) ? Number(text.slice(0, 4)) : 0
  return year >= FIRST_YEAR && year <= LAST_YEAR ? moment : null
}

const shifted = (base: Moment, amount: number, unit: DateUnit, zone: string): Moment => {
  if (unit === "hour") {
    const from = base.timed ? base.at : (base.today ?? startOfDay(base.day, zone))
    return { timed: true, at: from + amount * HOUR }
  }
  const wholeAmount = Math.trunc(amount)
  const moved = (local: number) =>
    unit === "month" ? addMonths(local, wholeAmount) : addDays(local, unit === "week" ? wholeAmount * 7 : wholeAmount)
  if (!base.timed) return { timed: false, day: movedDay(base.day, moved) }
  return { timed: true, at: toInstant(moved(toLocal(base.at, zone)), zone, "moved") }
}

/** Returns `base` moved by an amount; null if the result has no four-digit year. */
export const relativeMoment = (base: Moment, amount: number, unit: DateUnit, zone: string): Moment | null => {
  try {
    return inRange(shifted(base, amount, unit, zone))
  } catch {
    // True for a day beyond the range of Date.
    return null
  }
}

const OFFSET = /:\d{2}(?:\.\d+)?\s?(?:Z|[+-]\d{2}(?::?\d{2})?)$/

/** Parses a date from text; its time is that of `zone` unless it has an offset. Null if the text is no date. */
export const writtenMoment = (text: string, zone: string): Moment | null => {
  const parsedDate = parseDateTime(text)
  if (parsedDate === undefined) return null
  const iso = parsedDate.date.toISOString()
  if (!parsedDate.timed) return inRange({ timed: false, day: iso.slice(0, 10) })
  if (OFFSET.test(text.trim()) || zone === "UTC") return inRange({ timed: true, at: parsedDate.date.getTime() })
  return inRange({ timed: true, at: toInstant(parsedDate.date.getTime(), zone, "moved") })
}

export const resolvedDate = (moment: Moment, zone: string): ResolvedDate =>
  moment.timed
    ? { at: new Date(moment.at), timed: true, text: momentOfInstant(moment.at) }
    : { at: new Date(startOfDay(moment.day, zone)), timed: false, text: moment.day }
