// Wall clocks of IANA zones and calendar arithmetic for dates (decisions A9). A local time that a clock change leaves out is
// read as the one after the gap, a doubled one as the first.
import { DateTime } from "effect"
import { formatDate, formatDateTime } from "../../../ground/primitives/dates.ts"

const zones = new Map<string, DateTime.TimeZone>()
const zoneOf = (name: string): DateTime.TimeZone => {
  let zone = zones.get(name)
  if (zone === undefined) {
    zone = name === "UTC" ? DateTime.zoneMakeOffset(0) : DateTime.zoneMakeNamedUnsafe(name)
    zones.set(name, zone)
  }
  return zone
}

const two = (n: number) => String(n).padStart(2, "0")

export interface Wall {
  /** `YYYY-MM-DD` */
  readonly day: string
  /** `HH:mm:ss` */
  readonly time: string
}

/** What a clock on the wall of the zone shows. */
export const wallOf = (millis: number, zone: string): Wall => {
  const { day, hour, minute, month, second, year } = DateTime.toParts(
    DateTime.makeZonedUnsafe(millis, { timeZone: zoneOf(zone) })
  )
  return {
    day: `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`,
    time: `${two(hour)}:${two(minute)}:${two(second)}`
  }
}

/** The instant of a wall time, in epoch milliseconds. */
export const instantOf = ({ day, time }: Wall, zone: string): number => {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number]
  const [hour, minute, second] = time.split(":").map(Number) as [number, number, number]
  const zoned = DateTime.makeZonedUnsafe(
    { year, month, day: date, hour, minute, second },
    { timeZone: zoneOf(zone), adjustForTimeZone: true, disambiguation: "compatible" }
  )
  return DateTime.toEpochMillis(zoned)
}

/** The first instant of a day. */
export const startOfDay = (day: string, zone: string): number => instantOf({ day, time: "00:00:00" }, zone)

const utc = (day: string) => new Date(`${day}T00:00:00Z`)

export const addDays = (day: string, days: number): string => {
  const date = utc(day)
  date.setUTCDate(date.getUTCDate() + days)
  return formatDate(date)
}

/** Clamps to the month's end. */
export const addMonths = (day: string, months: number): string => {
  const date = utc(day)
  const wanted = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(wanted, last))
  return formatDate(date)
}

/** A stored moment (`YYYY-MM-DD[ HH:mm:ss]`, UTC) as the zone's wall shows it; a day without a time is the same everywhere. */
export const localMoment = (moment: string, zone: string): string => {
  if (moment.length <= 10) return moment
  const { day, time } = wallOf(Date.parse(`${moment.replace(" ", "T")}Z`), zone)
  return `${day} ${time}`
}

export const momentOfInstant = (millis: number): string => formatDateTime(new Date(millis))
