// Days and times as files write them, by patterns of the whole text: what is not understood to its end is no date. The moment goes
// through the API's own reader, which knows the calendar.
import { parseMoment } from "../records/fields/input/moments.ts"

export interface DateReading {
  /** Order of day and month in `3/4/2026`. */
  readonly slashes: "month first" | "day first"
  /** UTC of a time that names no zone (`YYYY-MM-DD HH:mm:ss`); undefined where a clock change leaves it out. */
  readonly toUtc: (wallTime: string) => string | undefined
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
/** What may follow a day: a time, with half of the day and zone. */
const TIME =
  /^(?:(?:T|,?\s{1,5}(?:at\s{1,5})?)(\d{1,2})(?::(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?)?\s?([ap]\.?m\.?)?\s?(Z|UTC|GMT|(?:UTC|GMT)?[+-]\d\d?(?::?\d\d)?)?)?$/i

interface Day {
  readonly year: string
  readonly month: number
  readonly day: string
  readonly weekday?: string | undefined
}
type Texts = ReadonlyArray<string>
const monthOf = (name: string) => months.indexOf(name.slice(0, 3).toLowerCase()) + 1

/** Patterns of written days, with the part that each group of the pattern is; the last group is what follows the day. */
const forms: ReadonlyArray<readonly [RegExp, groups: number, (texts: Texts, reading: DateReading) => Day]> = [
  [
    /^(\d{4})([-/.])(\d\d?)\2(\d\d?)(.*)$/,
    4,
    ([year, , month, day]) => ({ year: year!, month: Number(month), day: day! })
  ],
  [
    /^(\d\d?)\.\s?(\d\d?)\.\s?(\d{4})(.*)$/,
    3,
    ([day, month, year]) => ({ year: year!, month: Number(month), day: day! })
  ],
  [
    /^(\d\d?)([-/])(\d\d?)\2(\d{4})(.*)$/,
    4,
    ([first, , second, year], { slashes }) =>
      slashes === "month first"
        ? { year: year!, month: Number(first), day: second! }
        : { year: year!, month: Number(second), day: first! }
  ],
  [
    /^(?:(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?)\.?,?\s{1,5})?(\d\d?)(?:st|nd|rd|th|\.)?[\s-]{1,5}(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?,?[\s-]{1,5}(\d{4})(.*)$/i,
    4,
    ([weekday, day, month, year]) => ({ year: year!, month: monthOf(month!), day: day!, weekday })
  ],
  [
    /^(?:(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?)\.?,?\s{1,5})?(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?[\s-]{1,5}(\d\d?)(?:st|nd|rd|th)?,?[\s-]{1,5}(\d{4})(.*)$/i,
    4,
    ([weekday, month, day, year]) => ({ year: year!, month: monthOf(month!), day: day!, weekday })
  ]
]

const two = (part: string | number) => String(part).padStart(2, "0")

/** `HH:mm:ss`; `undefined` for one that no clock shows. */
const clockOf = ([hour, minute, second, half]: Texts): string | undefined => {
  if (half === undefined) return minute === undefined ? undefined : `${two(hour!)}:${minute}:${second ?? "00"}`
  const clockHour = Number(hour)
  if (clockHour < 1 || clockHour > 12) return undefined
  const offsetHours = half.toLowerCase().startsWith("p") ? 12 : 0
  return `${two((clockHour % 12) + offsetHours)}:${minute ?? "00"}:${second ?? "00"}`
}

/** `±HH:mm` or `Z`, as the API reads it. */
const offsetOf = (zone: string): string => {
  const [, sign, hours, minutes] = /([+-])(\d\d?):?(\d\d)?$/.exec(zone) ?? []
  return sign === undefined ? "Z" : `${sign}${two(hours!)}:${minutes ?? "00"}`
}

const momentOf = (day: string, [hour, minute, second, half, zone]: Texts, reading: DateReading) => {
  if (hour === undefined) return zone === undefined && half === undefined ? day : undefined
  const time = clockOf([hour!, minute!, second!, half!])
  if (time === undefined) return undefined
  // The calendar and the clock are judged before anything is converted.
  if (parseMoment(`${day} ${time}`) === null) return undefined
  if (zone !== undefined) return `${day} ${time}${offsetOf(zone)}`
  return reading.toUtc(`${day} ${time}`)
}

/** `YYYY-MM-DD[ HH:mm:ss]` in UTC, as the API keeps it; `undefined` where the text is no date. */
export const readMoment = (text: string, reading: DateReading): string | undefined => {
  for (const [pattern, groups, dayOf] of forms) {
    const match = pattern.exec(text)
    if (match === null) continue
    const { day, month, weekday, year } = dayOf(match.slice(1, groups + 1), reading)
    const date = parseMoment(`${year}-${two(month)}-${two(day)}`)
    if (date === null) return undefined
    const name = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]!
    if (weekday !== undefined && !weekday.toLowerCase().startsWith(name)) return undefined
    const time = TIME.exec(match[groups + 1]!)
    if (time === null) return undefined
    const moment = momentOf(date, time.slice(1), reading)
    return moment === undefined ? undefined : (parseMoment(moment) ?? undefined)
  }
  return undefined
}

const AMBIGUOUS = /^(\d\d?)[-/](\d\d?)[-/]\d{4}(?!\d)/

/** Order of day and month in a file, by the dates that can be read in one way alone; undefined if none can. */
export const guessSlashes = (texts: ReadonlyArray<string>): DateReading["slashes"] | undefined => {
  let dayFirst = 0
  for (const text of texts) {
    const [, first, second] = AMBIGUOUS.exec(text.trim()) ?? []
    if (Number(first) > 12 && Number(second) <= 12) dayFirst++
    if (Number(second) > 12 && Number(first) <= 12) dayFirst--
  }
  return dayFirst === 0 ? undefined : dayFirst > 0 ? "day first" : "month first"
}
