// Requests that wait for a run: sync webhooks, clicks on weblinks, manual runs over MCP (developer-api.md 7.3, 7.9, 7.10). The event names a
// row of `run_waits`. Whatever decides the event fills the row in; whatever ends or answers the run wakes the request, in any process.
import { Clock, Effect } from "effect"
import type { Statement } from "effect/sql"
import { Sql } from "../../../platform/sql/Sql.ts"
import { Wakes } from "../../../platform/sql/Wakes.ts"
import type { CallerShape } from "../../accounts/Caller.ts"

/** Name under which a waiting request is woken. */
export const waitName = (key: string) => `run_waits/${key}`

/** Key of the row that keeps a run's retry from being asked for twice: none waits under it. */
const retryKey = (runId: string) => `retry/${runId}`

/** Creates rows that events name; each is inserted in the transaction that stores its event. */
export const makeWaitingRequests = (sql: Sql) => {
  /** Body of a CTE that creates a row. @param when SQL condition without which it creates none */
  const opening = Effect.fnUntraced(function* (key: string, when: Statement.Fragment = sql.literal("true")) {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    return sql`INSERT INTO run_waits (wait_key, created_on) SELECT ${key}, ${nowDate}::timestamptz WHERE ${when}`
  })
  /** Returns the part of the event that names the row, if the caller waits. */
  const openFor = ({ waitKey }: Pick<CallerShape, "waitKey">) =>
    waitKey === undefined
      ? Effect.succeed({})
      : Effect.as(
          Effect.flatMap(opening(waitKey), (row) => sql`${row}`),
          { wait_key: waitKey }
        )
  /**
   * Returns the part of the event that names the row, or null if a retry of the run was asked for already. It may be asked for again once
   * that was refused, or its run deleted. Waits for another transaction that asks.
   * @param again true: also once the run of the retry has failed or was cancelled
   */
  const claimRetry = Effect.fnUntraced(function* (runId: string, again: boolean) {
    const key = retryKey(runId)
    const claimed = yield* sql`
      INSERT INTO run_waits AS w (wait_key, created_on) VALUES (${key}, ${new Date(yield* Clock.currentTimeMillis)})
      ON CONFLICT (wait_key) DO UPDATE SET created_on = excluded.created_on, refused = NULL, run_id = NULL
      WHERE w.refused IS NOT NULL OR (${again}::boolean AND EXISTS (
        SELECT 1 FROM runs r WHERE r.run_id = w.run_id AND r.status IN ('failed', 'cancelled')))
      RETURNING 1`
    return claimed.length === 0 ? null : { wait_key: key }
  })
  return { opening, openFor, claimRetry }
}

/** Wakes the requests with these keys after the commit. One that misses its wake looks again by itself. */
export const makeWakeWaits = Effect.gen(function* () {
  const sql = yield* Sql
  const wakes = yield* Wakes
  return (keys: ReadonlyArray<string>) =>
    keys.length === 0 ? Effect.void : sql.afterCommit(wakes.wake(keys.map(waitName)))
})

/** Condition: a request waits for the run, or a retry of it is not decided yet. @param runId as in `waitKeysOf` */
export const isAwaited = (sql: Sql, runId: string) => {
  const id = sql.literal(runId)
  return sql`(EXISTS (SELECT 1 FROM run_waits w WHERE w.run_id = ${id} AND w.wait_key NOT LIKE ${retryKey("%")})
    OR EXISTS (SELECT 1 FROM run_waits w WHERE w.wait_key = ${retryKey("")}::text || ${id}::text AND w.run_id IS NULL AND w.refused IS NULL))`
}

/** Keys of the requests that wait for the run, as an array or null. @param runId SQL expression of the run's id */
export const waitKeysOf = (sql: Sql, runId: string) =>
  sql`(SELECT array_agg(wait_key) FROM run_waits WHERE run_waits.run_id = ${sql.literal(runId)})`
