// Requests of each minute to an inbound address (developer-api.md 7.9), over all processes. The minute begins with its first request. A
// request that is over the limit shortly before the minute ends waits for the next one instead of failing.
import { Clock, Effect, Schema } from "effect"
import { makeSlotsByKey } from "../../../platform/fairness/slotsByKey.ts"
import { TooManyRequests } from "../../../platform/primitives/errors.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"

const WINDOW_MILLIS = 60_000
/** Longest wait of a request, in milliseconds. */
const WAIT_MOST = 5_000
/** Requests to one address that wait in a process; they hold a connection each. */
const WAITING_AT_ONCE = 50

const Counted = Schema.Struct({ window_on: Schema.Date, window_count: Schema.Int })

export const makeRequestWindow = (sql: Sql) => {
  const waitingSlot = makeSlotsByKey(WAITING_AT_ONCE)

  /** Counts a request. */
  const count = Effect.fnUntraced(function* (automationId: number) {
    const nowMillis = yield* Clock.currentTimeMillis
    const receivedAt = new Date(nowMillis)
    const windowStart = new Date(nowMillis - WINDOW_MILLIS)
    const counted = yield* rowOf(Counted)(sql`
      WITH unflushed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
      INSERT INTO catch_windows AS c (automation_id, window_on, window_count)
      SELECT ${automationId}::bigint, ${receivedAt}, 1 FROM unflushed
      ON CONFLICT (automation_id) DO UPDATE SET
        window_on = CASE WHEN c.window_on > ${windowStart} THEN c.window_on ELSE ${receivedAt} END,
        window_count = CASE WHEN c.window_on > ${windowStart} THEN c.window_count + 1 ELSE 1 END
      RETURNING window_on, window_count`)
    return { requests: counted!.window_count, millisLeft: counted!.window_on.getTime() + WINDOW_MILLIS - nowMillis }
  })

  /** Counts a request, and fails beyond `most` in a minute. */
  return Effect.fnUntraced(function* (automationId: number, most: number) {
    let counted = yield* count(automationId)
    if (counted.requests > most && counted.millisLeft <= WAIT_MOST && (yield* waitingSlot(automationId))) {
      yield* Effect.sleep(counted.millisLeft)
      counted = yield* count(automationId)
    }
    if (counted.requests <= most) return
    return yield* new TooManyRequests({
      message: `This address takes ${most} requests a minute.`,
      retryAfterSeconds: Math.max(1, Math.ceil(counted.millisLeft / 1_000))
    })
  }, Effect.scoped)
}
