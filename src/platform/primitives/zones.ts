// Converts between instants and wall clocks of IANA zones. A local time is written as epoch milliseconds "as if UTC"; one that occurs twice
// means the first. One that a clock change leaves out has two readings: moved by the gap, as dates that values give (decisions A9), or the
// first instant after it, as triggers of time (developer-api.md 7.5 rule 2). Effect's own conversion of local times misreads those near the
// end of an offset with seconds (Monrovia until 1972).
import { DateTime } from "effect"
import { dayStart } from "./calendar.ts"

const DAY = 86_400_000
const SECOND = 1_000
const FAR = 500 * DAY

/** True if the text is the name of a zone, and not an offset. */
export const isZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone })
    return !/^[+-]/.test(zone)
  } catch {
    return false
  }
}

/** Name of the zone in the zone database: readers of that alone are case-sensitive, and know no former names. */
export const zoneName = (zone: string): string =>
  new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone

/** Name under which Postgres reads the same zone: a bare one, such as `CET`, may be an abbreviation of an offset there. */
export const postgresZone = (zone: string): string => (zone.includes("/") ? zone : zoneName(zone))

/** Wall clock at an instant. */
export const toLocal = (instant: number, zone: string): number =>
  zone === "UTC"
    ? instant
    : DateTime.toDate(DateTime.makeZonedUnsafe(instant, { timeZone: DateTime.zoneMakeNamedUnsafe(zone) })).getTime()

const offsetAt = (instant: number, zone: string): number => toLocal(instant, zone) - instant

/** First instant in `(from, to]` with another offset than at `from`; the two differ. */
const transition = (from: number, to: number, zone: string): number => {
  const offsetBefore = offsetAt(from, zone)
  let [low, high] = [from, to]
  while (high - low > SECOND) {
    const middle = Math.floor((low + high) / 2 / SECOND) * SECOND
    if (offsetAt(middle, zone) === offsetBefore) low = middle
    else high = middle
  }
  return Math.ceil(high / SECOND) * SECOND
}

/** Instant of a local time. */
export const toInstant = (local: number, zone: string, leftOut: "moved" | "next"): number => {
  if (zone === "UTC") return local
  const earlyInstant = local - offsetAt(local - DAY, zone)
  if (toLocal(earlyInstant, zone) === local) return earlyInstant
  const lateInstant = local - offsetAt(local + DAY, zone)
  if (toLocal(lateInstant, zone) === local) return lateInstant
  return leftOut === "moved" ? earlyInstant : transition(local - DAY, local + DAY, zone)
}

export interface ClockChange {
  /** First instant of the new offset. */
  readonly at: number
  /** Milliseconds that the wall clock leaps ahead; below 0: local times occur twice. */
  readonly leap: number
}

/** Changes of the wall clock in `(from, to]`; in a range of years two changes within one week are missed. */
export function* clockChanges(from: number, to: number, zone: string): Iterable<ClockChange> {
  if (zone === "UTC") return
  const step = to - from > FAR ? 7 * DAY : DAY
  let offsetBefore = offsetAt(from, zone)
  for (let stepStart = from; stepStart < to; stepStart += step) {
    const next = Math.min(stepStart + step, to)
    const offsetAfter = offsetAt(next, zone)
    if (offsetAfter !== offsetBefore) yield { at: transition(stepStart, next, zone), leap: offsetAfter - offsetBefore }
    offsetBefore = offsetAfter
  }
}

/** Clock changes in `(from, to]` that leave local times out: the instants right after them. */
export const gaps = (from: number, to: number, zone: string): ReadonlyArray<number> =>
  [...clockChanges(from, to, zone)].filter(({ leap }) => leap > 0).map(({ at }) => at)

/** Wall clock of the zone at an instant: `YYYY-MM-DD` and `HH:mm:ss`. */
export const wallOf = (instant: number, zone: string): { readonly day: string; readonly time: string } => {
  const iso = new Date(toLocal(instant, zone)).toISOString()
  // Removes the sign that a year of five digits has, which a zone ahead of UTC shows at the end of 9999.
  return { day: iso.slice(0, -14).replace(/^\+0/, ""), time: iso.slice(-13, -5) }
}

/** First instant of a day. */
export const startOfDay = (day: string, zone: string): number => toInstant(dayStart(day), zone, "moved")

/**
 * Formats a stored moment (`YYYY-MM-DD[ HH:mm:ss]`, UTC) as the zone's wall clock shows it; a day without a time is the same everywhere.
 */
export const localMoment = (moment: string, zone: string): string => {
  if (moment.length <= 10) return moment
  const { day, time } = wallOf(Date.parse(`${moment.replace(" ", "T")}Z`), zone)
  return `${day} ${time}`
}
