// Computes when a value of a date field comes due (developer-api.md 7.5 rule 1). Pure.

import type { DateEntry } from "../../../../platform/primitives/Cell.ts"
import { addDays, addMonths, timeOfDay } from "../../../../platform/primitives/calendar.ts"
import { toInstant, toLocal } from "../../../../platform/primitives/zones.ts"
import type { TriggerConfig } from "../registry.ts"

const MINUTE = 60_000
const HOUR = 3_600_000

type DateConfig = TriggerConfig<"date_field_arrived">

/** Records hold dates of the years 100 to 9999; nothing comes due outside of them. */
const EARLIEST = Date.UTC(100, 0, 1)
const LATEST = Date.UTC(9_999, 11, 31)

/**
 * Returns when a value of the date field comes due, in epoch milliseconds; null if it has no such part. Days, weeks and months are those of
 * the calendar in the automation's zone; minutes and hours are exact.
 */
export const dateInstant = (config: DateConfig, value: DateEntry | undefined, zone: string): number | null => {
  const text = config.date_part === "end" ? value?.end : value?.start
  if (text === undefined) return null
  const timed = text.length > 10
  const parsedMillis = Date.parse(`${timed ? text.replace(" ", "T") : `${text}T00:00:00`}Z`)
  if (Number.isNaN(parsedMillis)) return null
  const { offset_amount, offset_direction, offset_unit } = config
  const amount = offset_direction === "at" ? 0 : offset_direction === "before" ? -offset_amount : offset_amount
  let instant: number
  if (timed && (amount === 0 || offset_unit === "minute" || offset_unit === "hour")) instant = parsedMillis
  else {
    // A value without time gets the zone's wall clock at `time_of_day`, one with time the wall clock that it shows there.
    const wall = timed ? toLocal(parsedMillis, zone) : parsedMillis + timeOfDay(config.time_of_day)
    const days = offset_unit === "day" ? amount : offset_unit === "week" ? amount * 7 : 0
    const moved = offset_unit === "month" ? addMonths(wall, amount) : addDays(wall, days)
    if (!(moved >= EARLIEST && moved <= LATEST)) return null
    instant = toInstant(moved, zone, "next")
  }
  instant += offset_unit === "minute" ? amount * MINUTE : offset_unit === "hour" ? amount * HOUR : 0
  return instant >= EARLIEST && instant <= LATEST ? instant : null
}
