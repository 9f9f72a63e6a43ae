// Calendar arithmetic on times as if UTC, in epoch milliseconds: days, months that clamp to their end.
import { formatDate } from "./dates.ts"

const DAY = 86_400_000

/** @param month 0 to 11 */
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

/** When a day `YYYY-MM-DD` begins. */
export const dayStart = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** A day moved by some arithmetic. */
export const movedDay = (day: string, move: (at: number) => number): string => formatDate(new Date(move(dayStart(day))))

/** `HH:mm` in milliseconds. */
export const timeOfDay = (text: string): number => {
  const [hours, minutes] = text.split(":").map(Number) as [number, number]
  return (hours * 60 + minutes) * 60_000
}
