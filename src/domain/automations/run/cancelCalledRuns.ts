// Cancels the runs that a run waits for when it ends early (developer-api.md 7.13 `wait_for_result`, 7.11).
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Outbox } from "../../../engine/outbox/Outbox.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { CALLER_OVER, makeCancelRuns } from "./cancelRuns.ts"
import { RunId } from "./slotStatements.ts"

export const makeCancelCalledRuns = (sql: Sql, outbox: Outbox["Service"]) => {
  const cancelRuns = makeCancelRuns(sql, outbox)
  /** Cancels the called runs that are still open; call it in the transaction in which the callers end. */
  return Effect.fnUntraced(function* (callers: ReadonlyArray<string>): Effect.fn.Return<void, SqlError> {
    if (callers.length === 0) return
    const cancelledAt = new Date(yield* Clock.currentTimeMillis)
    const called = yield* rowsOf(RunId)(sql`
      SELECT r.run_id::text FROM run_calls c JOIN runs r ON r.run_id = c.called_run_id
      WHERE c.run_id = ANY(${[...callers]}::text[]::bigint[]) AND r.completed_on IS NULL`)
    yield* cancelRuns(
      called.map(({ run_id }) => run_id),
      { at: cancelledAt, reason: CALLER_OVER }
    )
  })
}
