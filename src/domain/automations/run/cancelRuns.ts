// Cancelling runs (developer-api.md 7.11): those that nothing executes at the moment are over at once, any other stops before its next
// step. Whoever executes or waits for them is told, and the next in the line of their automation.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Outbox } from "../../../engine/outbox/Outbox.ts"
import { turnEvent, wakeEvent } from "../model/fireCommand.ts"
import type { LogStatus, RunStatus } from "./RunRow.ts"

export interface Cancellation {
  readonly at: Date
  /** In the run's `error_message` and its log; null: somebody has asked for it. */
  readonly reason: string | null
  readonly logged?: Extract<LogStatus, "cancelled" | "skipped">
  /** They have only just come: nobody executes them, whatever their rows say. */
  readonly fresh?: ReadonlySet<string>
}

export interface CancelledRun {
  readonly run_id: string
  readonly status: RunStatus
}

export const makeCancelRuns = (sql: SqlClient.SqlClient, outbox: Outbox["Service"]) =>
  /** In a transaction. Answers those that were open, with what they are now. */
  Effect.fnUntraced(function* (
    runIds: ReadonlyArray<string>,
    { at, fresh = new Set(), logged = "cancelled", reason }: Cancellation
  ) {
    if (runIds.length === 0) return []
    const message = reason ?? "The run was cancelled."
    const rows = yield* sql<
      CancelledRun & {
        readonly org_id: number
        readonly app_id: number
        readonly automation_id: number
        readonly record_id: number | null
        readonly limited: boolean
      }
    >`
      WITH found AS (
        SELECT run_id AS id, status = 'pending' OR wait_why IS NOT NULL OR wait_until IS NOT NULL
          OR run_id = ANY(${[...fresh]}::text[]::bigint[]) AS idle
        FROM runs WHERE run_id = ANY(${[...runIds]}::text[]::bigint[]) ORDER BY run_id FOR UPDATE
      ), changed AS (
        UPDATE runs SET cancel_requested_on = coalesce(cancel_requested_on, ${at}),
          cancel_reason = coalesce(cancel_reason, ${reason}::text),
          error_message = CASE WHEN idle THEN coalesce(cancel_reason, ${reason}::text) ELSE error_message END,
          status = CASE WHEN idle THEN 'cancelled' ELSE status END,
          completed_on = CASE WHEN idle THEN ${at}::timestamptz END,
          fence = CASE WHEN idle THEN fence + 1 ELSE fence END,
          place_wanted_on = CASE WHEN idle THEN NULL ELSE place_wanted_on END,
          log_seq = CASE WHEN idle THEN log_seq + 1 ELSE log_seq END
        FROM found WHERE runs.run_id = found.id AND status IN ('pending', 'running')
        RETURNING runs.*, idle
      ), logged AS (
        INSERT INTO run_logs (run_id, seq, type, status, label, messages, logged_on)
        SELECT run_id, log_seq, 'exception', ${logged}, 'Run',
          jsonb_build_array(jsonb_build_object('message', ${message}::text, 'level', 'info')), ${at}
        FROM changed WHERE idle
      )
      SELECT c.run_id::text, c.status, c.org_id, c.app_id, c.automation_id, c.record_id,
        c.idle AND a.concurrency IS NOT NULL AS limited
      FROM changed c LEFT JOIN automations a USING (automation_id)`
    yield* outbox.append(
      rows
        .filter(({ run_id }) => !fresh.has(run_id))
        .flatMap(({ limited, record_id, ...run }) => [
          wakeEvent(run),
          ...(limited ? [turnEvent(run, { automation_id: run.automation_id, record_id, all: false })] : [])
        ])
    )
    return rows.map(({ run_id, status }): CancelledRun => ({ run_id, status }))
  })
