// Counts of windows that begin with their first event, over all processes, in the table of the OAuth rate limits (decisions O21, O22).
import { Clock, Effect, Schema } from "effect"
import { rowOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"

interface CountedLimit {
  readonly max: number
  readonly windowMillis: number
}

const HOUR = 3_600_000
/** Keys of windows that count a day begin with it; others are of an hour at most, and removed sooner. */
export const DAY_WINDOW = "day "

export const windowKey = (name: string, { windowMillis }: CountedLimit) =>
  windowMillis > HOUR ? `${DAY_WINDOW}${name}` : name

const Leased = Schema.Struct({ leased: Schema.Int })

/** Counts one more; false beyond the limit. In a transaction that is rolled back nothing was counted. */
export const countInWindow = Effect.fnUntraced(function* (sql: Sql, name: string, limit: CountedLimit) {
  const nowMillis = yield* Clock.currentTimeMillis
  const cutoff = new Date(nowMillis - limit.windowMillis)
  const row = yield* rowOf(Leased)(sql`
      INSERT INTO oauth_rate_windows AS w (key, window_start, leased) VALUES (${windowKey(name, limit)}, ${new Date(nowMillis)}, 1)
      ON CONFLICT (key) DO UPDATE SET
        window_start = CASE WHEN w.window_start <= ${cutoff} THEN excluded.window_start ELSE w.window_start END,
        leased = CASE WHEN w.window_start <= ${cutoff} THEN 1 ELSE LEAST(w.leased + 1, ${limit.max + 1}) END
      RETURNING leased`)
  return row!.leased <= limit.max
})
