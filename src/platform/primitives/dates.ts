// Dates and times as the API writes and reads them (developer-api.md 1.3): it writes `YYYY-MM-DD HH:mm:ss` in UTC, and reads that or ISO
// 8601.

const DAY_MILLIS = 86_400_000
/** Last day that is written without a sign: after 9999 a year has a sign and six digits. */
const LAST_DAY = Math.floor(Date.UTC(9999, 11, 31) / DAY_MILLIS)
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"))
/** Day that was formatted last: most times of a page are of one day. */
let cachedDay = { day: Number.NaN, text: "" }

/** Formats `YYYY-MM-DD HH:mm:ss`, UTC. */
export const formatDateTime = (date: Date): string => {
  const millis = date.getTime()
  const day = Math.floor(millis / DAY_MILLIS)
  if (!(day >= 0 && day <= LAST_DAY)) return date.toISOString().slice(0, 19).replace("T", " ")
  if (cachedDay.day !== day) cachedDay = { day, text: date.toISOString().slice(0, 10) }
  const seconds = Math.floor(millis / 1000) - day * 86_400
  return `${cachedDay.text} ${two[Math.floor(seconds / 3600)]}:${two[Math.floor(seconds / 60) % 60]}:${two[seconds % 60]}`
}

/** Formats as `formatDateTime` does; null stays null. */
export const formatDateTimeOrNull = (date: Date | null): string | null => (date === null ? null : formatDateTime(date))

/** Text that sorts after all that is stored; the text of a year beyond 9999 would sort before it. */
export const AFTER_ALL = ":"

/** The first and the last day that are read: a zone's clock does not show days beyond. */
export const DAYS = { first: "0100-01-01", last: "9999-12-31" } as const

/** Formats an instant in epoch milliseconds. */
export const momentOfInstant = (millis: number): string => formatDateTime(new Date(millis))

/** Formats `YYYY-MM-DD`, UTC. */
export const formatDate = (date: Date): string => date.toISOString().slice(0, 10)

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/

/** Largest offset that ISO 8601's clock has. */
const OFFSET_HOURS = 24

/** Milliseconds of an offset; `undefined` for one that no clock shows. */
const offsetMillis = (zone: string | undefined): number | undefined => {
  if (zone === undefined || zone === "Z") return 0
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone)!
  if (Number(hours) >= OFFSET_HOURS || Number(minutes) >= 60) return undefined
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** First year that `Date.UTC` does not take for one of the twentieth century. */
const FIRST_YEAR = 100

/** Parses a date: its instant, and whether it names a time of day. `undefined` for any other text. */
export const parseDateTime = (text: string): { readonly date: Date; readonly timed: boolean } | undefined => {
  const match = pattern.exec(text.trim())
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second = "0", zone] = match
  const millis = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second)
  )
  const parsedDate = new Date(millis)
  const valid =
    Number(year) >= FIRST_YEAR &&
    parsedDate.getUTCMonth() === Number(month) - 1 &&
    parsedDate.getUTCDate() === Number(day) &&
    Number(hour ?? 0) < 24 &&
    Number(minute ?? 0) < 60 &&
    Number(second) < 60
  const offset = offsetMillis(zone)
  return valid && offset !== undefined ? { date: new Date(millis - offset), timed: hour !== undefined } : undefined
}
