// Parses the fields of a cron expression (developer-api.md 7.5 rule 2): lists, ranges, steps and names; for days also `L`, `L-n`, `LW`,
// `nW`, `n#k`, `nL` and `?`.
import { lastDay } from "../../../../platform/primitives/calendar.ts"

type Day = (date: Date) => boolean
export interface CronField {
  readonly values: ReadonlySet<number>
  readonly days: ReadonlyArray<Day>
  readonly open: boolean
  readonly star: boolean
  readonly step: boolean
}
interface Bounds {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly names?: ReadonlyArray<string>
  /** Special form for days of a month, and the numbers that it accepts. */
  readonly special?: (part: string) => { readonly day: Day; readonly values: ReadonlyArray<number> } | undefined
}

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, n) => from + n * step)
const lastOf = (date: Date) => lastDay(date.getUTCFullYear(), date.getUTCMonth())
const weekDayOf = (date: Date, day: number) => (((date.getUTCDay() + day - date.getUTCDate()) % 7) + 7) % 7

/** Returns the weekday from Monday to Friday that is nearest to a day, within its month. */
const nearestWeekday = (date: Date, day: number): number => {
  const monthEnd = lastOf(date)
  const weekDay = weekDayOf(date, day)
  if (weekDay === 6) return day === 1 ? 3 : day - 1
  if (weekDay === 0) return day === monthEnd ? day - 2 : day + 1
  return day
}

const monthDay: Bounds["special"] = (part) => {
  const lastDayMatch = /^L(?:-(\d{1,2}))?$/.exec(part)
  if (lastDayMatch !== null && Number(lastDayMatch[1] ?? 0) <= 30) {
    const daysBefore = Number(lastDayMatch[1] ?? 0)
    return {
      day: (date) => date.getUTCDate() === lastOf(date) - daysBefore,
      values: range(Math.max(1, 28 - daysBefore), 31 - daysBefore)
    }
  }
  if (part === "LW" || part === "WL")
    return { day: (date) => date.getUTCDate() === nearestWeekday(date, lastOf(date)), values: range(26, 31) }
  const near = /^(\d{1,2})W$/.exec(part)
  const day = Number(near?.[1] ?? 0)
  if (day < 1 || day > 31) return undefined
  return {
    day: (date) => day <= lastOf(date) && date.getUTCDate() === nearestWeekday(date, day),
    values: range(Math.max(1, day - 2), Math.min(31, day + 2))
  }
}

const weekNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
const weekDay: Bounds["special"] = (part) => {
  if (part === "L") return { day: (date) => date.getUTCDay() === 6, values: [6] }
  const [, named = "", last, nth = "0"] = /^([0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(?:(L)|#([1-5]))$/.exec(part) ?? []
  if (named === "") return undefined
  const weekDay = weekNames.includes(named) ? weekNames.indexOf(named) : Number(named) % 7
  const week = (date: Date) =>
    last === undefined ? Math.ceil(date.getUTCDate() / 7) === Number(nth) : date.getUTCDate() > lastOf(date) - 7
  return { day: (date) => date.getUTCDay() === weekDay && week(date), values: [weekDay] }
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
export const fieldBounds: ReadonlyArray<Bounds> = [
  { name: "minute", from: 0, to: 59 },
  { name: "hour", from: 0, to: 23 },
  { name: "day of month", from: 1, to: 31, special: monthDay },
  { name: "month", from: 1, to: 12, names: months },
  { name: "day of week", from: 0, to: 7, names: weekNames, special: weekDay }
]

const valueOf = (text: string, { from, names = [], to }: Bounds): number | undefined => {
  const named = names.indexOf(text)
  const value = named >= 0 ? named + from : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return value >= from && value <= to ? value : undefined
}

/** Returns the numbers of a part without a special form. */
const plainOf = (part: string, field: Bounds): ReadonlyArray<number> | undefined => {
  const [, spread = "", stepText] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(part) ?? []
  const step = Number(stepText ?? 1)
  if (step < 1 || spread === "") return undefined
  const sunday = field.from === 0 && field.to === 7
  if (spread === "*") return range(field.from, sunday ? 6 : field.to, step)
  const [first = "", last, more] = spread.split("-")
  const start = valueOf(first, field)
  let end = last === undefined ? (stepText === undefined ? start : field.to) : valueOf(last, field)
  // A range to Sunday ends a week.
  if (sunday && last !== undefined && end === 0 && start !== 0) end = 7
  if (start === undefined || end === undefined || more !== undefined || end < start) return undefined
  return range(start, end, step).map((value) => (sunday ? value % 7 : value))
}

export const fieldOf = (text: string, field: Bounds): CronField | string => {
  const days: Array<Day> = []
  const values = new Set<number>()
  const parts = text.split(",")
  for (const part of parts) {
    const special = field.special?.(part)
    if (special !== undefined) days.push(special.day)
    const partValues = special?.values ?? plainOf(part === "?" && field.special !== undefined ? "*" : part, field)
    if (partValues === undefined) return `the ${field.name} ${JSON.stringify(part)} is not understood`
    if (special === undefined && field.special !== undefined) {
      const dayValues = new Set(partValues)
      days.push(field.to === 7 ? (date) => dayValues.has(date.getUTCDay()) : (date) => dayValues.has(date.getUTCDate()))
    }
    for (const value of partValues) values.add(value)
  }
  const star = text.startsWith("*") || text === "?"
  return {
    values,
    days,
    open: parts.includes("*") || text === "?",
    star,
    step: parts.some((part) => part.includes("/"))
  }
}
