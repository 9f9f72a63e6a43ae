// Wall clocks of IANA zones (developer-api.md 7.5 rule 2): a local time that a clock change leaves out means the next valid instant,
// one that occurs twice means the first. Pure; local times are written as epoch milliseconds "as if UTC".
// Values of references follow another rule for left-out times (decisions A9, values/resolveZone.ts).
const MINUTE = 60_000
const DAY = 86_400_000

const formatters = new Map<string, Intl.DateTimeFormat>()
const formatterOf = (zone: string): Intl.DateTimeFormat => {
  let known = formatters.get(zone)
  if (known === undefined) {
    known = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric"
    })
    formatters.set(zone, known)
  }
  return known
}

/** The wall clock at an instant, as if UTC. */
export const toLocal = (instant: number, zone: string): number => {
  if (zone === "UTC") return instant
  const parts: Record<string, number> = {}
  for (const { type, value } of formatterOf(zone).formatToParts(instant)) parts[type] = Number(value)
  const { day, hour, minute, month, second, year } = parts as Record<
    "day" | "hour" | "minute" | "month" | "second" | "year",
    number
  >
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000)
}

export const offsetAt = (instant: number, zone: string): number => toLocal(instant, zone) - instant

/** The first instant in `(from, to]` with another offset than at `from`; the two differ. */
const transition = (from: number, to: number, zone: string): number => {
  const before = offsetAt(from, zone)
  let [low, high] = [from, to]
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2 / 1_000) * 1_000
    if (offsetAt(middle, zone) === before) low = middle
    else high = middle
  }
  return Math.ceil(high / 1_000) * 1_000
}

export const toInstant = (local: number, zone: string): number => {
  const early = local - offsetAt(local - DAY, zone)
  if (toLocal(early, zone) === local) return early
  const late = local - offsetAt(local + DAY, zone)
  if (toLocal(late, zone) === local) return late
  return transition(local - DAY, local + DAY, zone)
}

/** Clock changes in `(from, to]` that leave local times out: the instants right after them. */
export const gaps = (from: number, to: number, zone: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let at = from; at < to; at += DAY) {
    const next = Math.min(at + DAY, to)
    if (offsetAt(next, zone) > offsetAt(at, zone)) found.push(transition(at, next, zone))
  }
  return found
}

/** `HH:mm` in milliseconds. */
export const timeOfDay = (text: string): number => {
  const [hours, minutes] = text.split(":").map(Number) as [number, number]
  return (hours * 60 + minutes) * MINUTE
}

/** Months clamp to the month's end. */
export const addMonths = (local: number, months: number): number => {
  const date = new Date(local)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(day, lastDay(date.getUTCFullYear(), date.getUTCMonth())))
  return date.getTime()
}

/** @param month 0 to 11 */
export const lastDay = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
