// Requests of each minute to an inbound address (developer-api.md 7.9), over all processes. The minute begins with its first request. A
// request that is over the limit shortly before the minute ends waits for the next one instead of failing.
import { Clock, Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { makeSlotsByKey } from "../../../platform/fairness/slotsByKey.ts"
import { TooManyRequests } from "../../../platform/primitives/errors.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"

const WINDOW_MILLIS = 60_000
/** Longest wait of a request, in milliseconds. */
const WAIT_MOST = 5_000
/** Requests to one address that wait in a process; they hold a connection each. */
const WAITING_AT_ONCE = 50

/** Columns that the CTE of a count returns. */
export const countColumns = { automation_id: Schema.Int, window_on: Schema.Date, window_count: Schema.Int }
const Counted = Schema.Struct(countColumns)

export const makeRequestWindow = (sql: Sql) => {
  const waitingSlot = makeSlotsByKey(WAITING_AT_ONCE)

  const counting = (nowMillis: number) => {
    const receivedAt = new Date(nowMillis)
    const windowStart = new Date(nowMillis - WINDOW_MILLIS)
    return sql`
      WITH unflushed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
      INSERT INTO catch_windows AS c (automation_id, window_on, window_count)
      SELECT automation_id, ${receivedAt}, 1 FROM unflushed, target
      ON CONFLICT (automation_id) DO UPDATE SET
        window_on = CASE WHEN c.window_on > ${windowStart} THEN c.window_on ELSE ${receivedAt} END,
        window_count = CASE WHEN c.window_on > ${windowStart} THEN c.window_count + 1 ELSE 1 END
      RETURNING automation_id, window_on, window_count`
  }

  /**
   * Counts a request, and fails beyond the automation's limit in a minute.
   * @param ask finds the automation by a statement with the given body of a CTE, which counts a request of `target (automation_id)`
   */
  return Effect.fnUntraced(function* <A extends typeof Counted.Type, E>(
    ask: (count: Statement.Fragment) => Effect.Effect<A, E>,
    mostOf: (row: A) => number
  ) {
    const count = Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const row = yield* ask(counting(nowMillis))
      return { row, most: mostOf(row), millisLeft: row.window_on.getTime() + WINDOW_MILLIS - nowMillis }
    })
    let { millisLeft, most, row } = yield* count
    if (row.window_count > most && millisLeft <= WAIT_MOST && (yield* waitingSlot(row.automation_id))) {
      yield* Effect.sleep(millisLeft)
      ;({ millisLeft, most, row } = yield* count)
    }
    if (row.window_count <= most) return row
    return yield* new TooManyRequests({
      message: `This address takes ${most} requests a minute.`,
      retryAfterSeconds: Math.max(1, Math.ceil(millisLeft / 1_000))
    })
  }, Effect.scoped)
}
