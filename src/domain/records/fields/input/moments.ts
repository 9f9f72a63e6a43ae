// Moments of records: accepted as developer-api.md 1.3 says, kept as `YYYY-MM-DD[ HH:mm:ss]` in UTC.
import { DAYS, formatDate, formatDateTime, parseDateTime } from "../../../../platform/primitives/dates.ts"

/** A sent date or datetime in stored form; `null` when it is none, or before the year 100 or after 9999. */
export const parseMoment = (text: string): string | null => {
  const instant = parseDateTime(text)
  if (instant === undefined || instant.date.getUTCFullYear() > 9999) return null
  const moment = instant.timed ? formatDateTime(instant.date) : formatDate(instant.date)
  // An offset can move the first day into the year before.
  return moment < DAYS.first ? null : moment
}

export const isTimed = (moment: string) => moment.length > 10

/** Reason that a field with this `time` setting rejects the moment. */
export const timeProblem = (moment: string, time: "disabled" | "enabled" | "required"): string | null =>
  isTimed(moment) && time === "disabled"
    ? "must be a date without a time"
    : !isTimed(moment) && time === "required"
      ? "must have a time (`YYYY-MM-DD HH:mm`)"
      : null

/** Reason that a period is invalid; `end` is undefined if it has none. */
export const periodProblem = (
  start: string,
  end: string | undefined,
  setting: "enabled" | "required"
): string | null =>
  end === undefined
    ? setting === "required"
      ? "must have an end"
      : null
    : isTimed(start) !== isTimed(end)
      ? "must have a time on both sides or on none"
      : end < start
        ? "must not end before it starts"
        : null
