// Calculates with calendar times as if UTC, in epoch milliseconds: days, months that clamp to their end.
import { formatDate } from "./dates.ts"

const DAY = 86_400_000

/** Last day of a month. @param month 0 to 11 */
export const lastDay = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

export const addMonths = (at: number, months: number): number => {
  const date = new Date(at)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(day, lastDay(date.getUTCFullYear(), date.getUTCMonth())))
  return date.getTime()
}

export const addDays = (at: number, days: number): number => at + days * DAY

/** Beginning of a day `YYYY-MM-DD`. */
export const dayStart = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** Day moved by some arithmetic. */
export const movedDay = (day: string, move: (at: number) => number): string => formatDate(new Date(move(dayStart(day))))

/** Milliseconds of `HH:mm`. */
export const timeOfDay = (text: string): number => {
  const [hours, minutes] = text.split(":").map(Number) as [number, number]
  return (hours * 60 + minutes) * 60_000
}
