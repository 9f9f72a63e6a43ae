// Previews a schedule for a user who is about to save it (developer-api.md 7.5 rule 2): its next instants, or its mistakes. Pure.
import { Result } from "effect"
import { formatDateTime } from "../../../../platform/primitives/dates.ts"
import { ValidationError } from "../../../../platform/primitives/errors.ts"
import { isZone, localMoment } from "../../../../platform/primitives/zones.ts"
import { nextInstants } from "./instants.ts"
import type { ScheduleConfig } from "./ScheduleConfig.ts"
import { checkSchedule, neverDue } from "./scheduleChecks.ts"

const SHOWN = 10

/** `now`: moment of an assumed activation, from which intervals without `starts_at` count. */
export const previewSchedule = (
  config: ScheduleConfig,
  timezone: string,
  { min_spacing_ms, now }: { readonly min_spacing_ms: number; readonly now: number }
) => {
  const wrong = (message: string) => Result.fail(new ValidationError({ message }))
  if (!isZone(timezone)) return wrong(`timezone: ${JSON.stringify(timezone)} is no IANA time zone.`)
  const [mistake] = checkSchedule(config, { min_spacing_ms })
  if (mistake !== undefined) return wrong(`config: ${mistake.message}`)
  const zone = config.timezone ?? timezone
  const instants = nextInstants({ config, zone, armedOn: now }, now, SHOWN).map((at) => {
    const utc = formatDateTime(new Date(at))
    return { utc, local: localMoment(utc, zone) }
  })
  return Result.succeed({ timezone: zone, instants, never_due: neverDue(config, { now, timezone }) ?? null })
}
