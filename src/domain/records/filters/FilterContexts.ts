// Context in which record filters are evaluated (developer-api.md 4.4): user, time and zone. Relative dates use the zone that the request
// names, else the zone of the caller's profile.
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import { isZone } from "../../../platform/primitives/zones.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { hasRelativeDates } from "../fields/matching/dateTests.ts"
import type { FilterContext } from "../fields/matching/filterTests.ts"
import type { RecordFilters } from "../fields/matching/RecordFilter.ts"

const ZoneRow = Schema.Struct({ timezone: Schema.String })

interface Judged {
  readonly userId: number
  /** Zone as the request names it. */
  readonly timezone?: string | undefined
  /** The filters were judged before. */
  readonly stored?: boolean
}

/** Builds contexts; reads the zone of the profile if the filters need one. */
export const makeFilterContexts = Effect.map(Sql, (sql) => {
  const zoneOf = Effect.fnUntraced(function* (filters: RecordFilters, { timezone, userId }: Judged) {
    if (timezone !== undefined) {
      if (isZone(timezone)) return timezone
      return yield* new ValidationError({
        message: `timezone: must be an IANA time zone such as Europe/Vienna: ${JSON.stringify(timezone)}`
      })
    }
    if (!hasRelativeDates(filters)) return "UTC"
    const profile = yield* rowOf(ZoneRow)(sql`SELECT timezone FROM users WHERE user_id = ${userId}`)
    return profile !== undefined && isZone(profile.timezone) ? profile.timezone : "UTC"
  })

  return (filters: RecordFilters, judged: Judged): Effect.Effect<FilterContext, ValidationError | SqlError> =>
    Effect.gen(function* () {
      const zone = yield* zoneOf(filters, judged)
      const nowMillis = yield* Clock.currentTimeMillis
      return { userId: judged.userId, now: nowMillis, zone, stored: judged.stored === true }
    })
})
