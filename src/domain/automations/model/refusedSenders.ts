// Counts requests that an inbound address has refused because their sender was not verified (developer-api.md 7.9), for the automation's
// owner: many of them mean a wrong key at one end. A week without any begins the count anew.
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"

const WEEK_MILLIS = 7 * 86_400_000

export interface RefusedSenders {
  readonly count: number
  /** `YYYY-MM-DD HH:mm:ss`, UTC. */
  readonly first_at: string
  readonly last_at: string
}

const RefusedRow = Schema.Struct({ refused_count: Schema.Int, refused_since: Schema.Date, refused_on: Schema.Date })

export const makeRefusedSenders = (sql: Sql) => {
  const times = Effect.map(Clock.currentTimeMillis, (millis) => ({
    now: new Date(millis),
    weekAgo: new Date(millis - WEEK_MILLIS)
  }))

  /** Adds one. The address has counted the request before, so that there is a row. */
  const add = Effect.fnUntraced(function* (automationId: number) {
    const { now, weekAgo } = yield* times
    yield* sql`
      WITH unflushed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
      UPDATE catch_windows SET refused_on = ${now},
        refused_since = CASE WHEN refused_on > ${weekAgo} THEN refused_since ELSE ${now} END,
        refused_count = CASE WHEN refused_on > ${weekAgo} THEN least(refused_count, 999999999) + 1 ELSE 1 END
      FROM unflushed WHERE automation_id = ${automationId}`
  })

  /** Returns those since the last week without any; undefined if there are none. */
  const lately = Effect.fnUntraced(function* (
    automationId: number
  ): Effect.fn.Return<RefusedSenders | undefined, SqlError> {
    const { weekAgo } = yield* times
    const row = yield* rowOf(RefusedRow)(sql`
      SELECT refused_count, refused_since, refused_on FROM catch_windows
      WHERE automation_id = ${automationId} AND refused_on > ${weekAgo}`)
    if (row === undefined) return undefined
    const { refused_count: count, refused_on, refused_since } = row
    return { count, first_at: formatDateTime(refused_since), last_at: formatDateTime(refused_on) }
  })

  return { add, lately }
}
