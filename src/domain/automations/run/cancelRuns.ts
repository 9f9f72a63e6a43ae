// Cancels runs (developer-api.md 7.11). Runs that nothing executes at the moment end immediately; any other stops before its next step. The
// statement wakes their executors and callers and starts the next run in the queue of their automation. Cancelled runs take along the runs
// that they have called and wait for (7.13 `wait_for_result`), and the runs that those wait for.
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Outbox } from "../../../engine/outbox/Outbox.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { turnEvent, wakeEvent } from "../model/fireCommand.ts"
import { type LogStatus, RunStatus } from "./RunRow.ts"
import { runEntry, runInserts } from "./runInserts.ts"
import { countEndsAfterCommit, EndedRun } from "./runMetrics.ts"
import { RunAddress } from "./runWorkflowId.ts"
import { RunId } from "./slotStatements.ts"

export interface Cancellation {
  readonly at: Date
  /** Reason for the run's `error_message` and log; null: a user has requested the cancellation. */
  readonly reason: string | null
  readonly logged?: Extract<LogStatus, "cancelled" | "skipped">
  /** Ids of runs that were created in this transaction: nothing executes them, whatever their rows say. */
  readonly fresh?: ReadonlySet<string>
}

const CancelledRun = Schema.Struct({ run_id: Schema.String, status: RunStatus })
export type CancelledRun = typeof CancelledRun.Type

const CALLER_OVER = "The run that waited for it is over."

const Changed = Schema.Struct({
  ...RunAddress.fields,
  status: Schema.Literals(["running", "cancelled"]),
  record_id: Schema.NullOr(Schema.Int),
  limited: Schema.NullOr(Schema.Boolean),
  ...EndedRun.fields
})

export const makeCancelRuns = (sql: Sql, outbox: Outbox["Service"]) =>
  /**
   * Cancels the open runs among `runIds` and the runs that they wait for; call it in a transaction. Returns the changed runs with their new
   * status.
   */
  Effect.fnUntraced(function* (
    runIds: ReadonlyArray<string>,
    { at, fresh = new Set(), logged = "cancelled", reason }: Cancellation
  ): Effect.fn.Return<ReadonlyArray<CancelledRun>, SqlError> {
    if (runIds.length === 0) return []
    const reasonText = reason ?? "The run was cancelled."
    const [status, message] = [sql.literal("logged"), sql.literal("message")]
    const cancellation = runEntry(sql, { label: "Run", level: "info", message, status })
    const requestedRuns = sql`ANY(${[...runIds]}::text[]::bigint[])`
    const rows = yield* rowsOf(Changed)(sql`
      WITH RECURSIVE below AS (
        SELECT run_id FROM runs WHERE run_id = ${requestedRuns} AND completed_on IS NULL
        UNION SELECT c.called_run_id FROM below JOIN run_calls c USING (run_id) WHERE c.called_run_id IS NOT NULL
      ), found AS (
        SELECT run_id AS id, status = 'pending' OR wait_why IS NOT NULL OR wait_until IS NOT NULL
          OR run_id = ANY(${[...fresh]}::text[]::bigint[]) AS idle,
          CASE WHEN run_id = ${requestedRuns} THEN ${reason}::text ELSE ${CALLER_OVER} END AS reason,
          CASE WHEN run_id = ${requestedRuns} THEN ${reasonText}::text ELSE ${CALLER_OVER} END AS message,
          CASE WHEN run_id = ${requestedRuns} THEN ${logged}::text ELSE 'cancelled' END AS logged
        FROM runs WHERE run_id IN (SELECT run_id FROM below) ORDER BY run_id FOR UPDATE
      ), changed AS (
        UPDATE runs SET cancel_requested_on = coalesce(cancel_requested_on, ${at}),
          cancel_reason = coalesce(cancel_reason, found.reason),
          error_message = CASE WHEN idle THEN coalesce(cancel_reason, found.reason) ELSE error_message END,
          status = CASE WHEN idle THEN 'cancelled' ELSE status END,
          completed_on = CASE WHEN idle THEN ${at}::timestamptz END,
          fence = CASE WHEN idle THEN fence + 1 ELSE fence END,
          place_wanted_on = CASE WHEN idle THEN NULL ELSE place_wanted_on END,
          log_seq = CASE WHEN idle THEN log_seq + 1 ELSE log_seq END
        FROM found WHERE runs.run_id = found.id AND status IN ('pending', 'running')
        RETURNING runs.*, idle, message, logged
      ), log AS (
        ${runInserts(sql).logs(sql`(SELECT run_id, ${cancellation} AS logs FROM changed WHERE idle)`, at)}
      ), places AS (
        DELETE FROM run_places WHERE run_id IN (SELECT run_id FROM changed WHERE idle)
      )
      SELECT c.run_id::text, c.status, c.org_id, c.app_id, c.automation_id, c.record_id, c.type, c.created_on,
        c.idle AND a.concurrency IS NOT NULL AS limited
      FROM changed c LEFT JOIN automations a USING (automation_id)`)
    const cancelledRuns = rows.filter(({ status }) => status === "cancelled")
    // Callers are woken here, since a called run that ended may never have had a workflow of its own to report its end.
    const callers = yield* rowsOf(RunAddress)(sql`
      SELECT DISTINCT r.run_id::text, r.org_id, r.app_id, r.automation_id FROM run_calls c JOIN runs r USING (run_id)
      WHERE c.called_run_id = ANY(${cancelledRuns.map(({ run_id }) => run_id)}::text[]::bigint[]) AND r.completed_on IS NULL`)
    yield* outbox.append([
      ...rows
        .filter(({ run_id }) => !fresh.has(run_id))
        .flatMap(({ created_on, limited, record_id, type, ...run }) => [
          wakeEvent(run),
          ...(limited === true ? [turnEvent(run, { automation_id: run.automation_id, record_id, all: false })] : [])
        ]),
      ...callers.map(wakeEvent)
    ])
    yield* countEndsAfterCommit(sql, "cancelled", cancelledRuns, at)
    return rows.map(({ run_id, status }): CancelledRun => ({ run_id, status }))
  })

export const makeCancelCalledRuns = (sql: Sql, outbox: Outbox["Service"]) => {
  const cancelRuns = makeCancelRuns(sql, outbox)
  /** Cancels the called runs that are still open; call it in the transaction in which the callers end. */
  return Effect.fnUntraced(function* (callers: ReadonlyArray<string>): Effect.fn.Return<void, SqlError> {
    if (callers.length === 0) return
    const called = yield* rowsOf(RunId)(sql`
      SELECT r.run_id::text FROM run_calls c JOIN runs r ON r.run_id = c.called_run_id
      WHERE c.run_id = ANY(${[...callers]}::text[]::bigint[]) AND r.completed_on IS NULL`)
    const calledIds = called.map(({ run_id }) => run_id)
    yield* cancelRuns(calledIds, { at: new Date(yield* Clock.currentTimeMillis), reason: CALLER_OVER })
  })
}
