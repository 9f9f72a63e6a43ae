// Moments of records: accepted as developer-api.md 1.3 says, kept as `YYYY-MM-DD[ HH:mm:ss]` in UTC.
import { formatDate, formatDateTime, parseDateTime } from "../../../../ground/primitives/dates.ts"

/** A sent date or datetime in stored form; `null` when it is none, or before the year 100 or after 9999. */
export const parseMoment = (text: string): string | null => {
  const parsed = parseDateTime(text)
  if (parsed === undefined || parsed.date.getUTCFullYear() > 9999) return null
  return parsed.timed ? formatDateTime(parsed.date) : formatDate(parsed.date)
}

export const isTimed = (moment: string) => moment.length > 10
