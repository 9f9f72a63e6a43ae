// The context in which the cells of a file are read: its format, and what its texts name.
import { formatDateTime, parseDateTime } from "../../platform/primitives/dates.ts"
import { toInstant, toLocal } from "../../platform/primitives/zones.ts"
import type { Names, ReadContext } from "./csvField.ts"
import type { ImportFormat } from "./importSchemas.ts"

/** UTC of a wall clock; undefined where a clock change leaves the time out. */
const utcOf =
  (zone: string) =>
  (wallTime: string): string | undefined => {
    const wallMillis = parseDateTime(wallTime)?.date.getTime()
    if (wallMillis === undefined || zone === "UTC") return wallMillis === undefined ? undefined : wallTime
    const instant = toInstant(wallMillis, zone, "moved")
    return toLocal(instant, zone) === wallMillis ? formatDateTime(new Date(instant)) : undefined
  }

export const readingOf = ({ day_first, decimal, time_zone }: ImportFormat, names: Names): ReadContext => ({
  ...names,
  decimal,
  slashes: day_first ? "day first" : "month first",
  toUtc: utcOf(time_zone)
})
