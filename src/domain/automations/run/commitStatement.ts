// Commits a step's effect on its run, or the end of a run, in one statement for many runs: run row, ledger, log, values, outputs,
// concurrency slot, mailbox row (decisions A1, A3). Nothing is committed for a run whose fence has been raised since.
import { Clock, Effect, Schema } from "effect"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { jsonText } from "../../../platform/sql/json.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { makeSealed } from "../model/sealedValues.ts"
import { turnsGiven } from "./ConcurrencyLimits.ts"
import { makeFailureStreaks } from "./failureStreaks.ts"
import type { Commit, RunRow } from "./RunRow.ts"
import { finishedRows, flushColumn, numbered, runInserts } from "./runInserts.ts"
import { makeWakeWaits, waitKeysOf } from "./waitingRequests.ts"

export interface InboxRow {
  readonly row_id: number
  readonly event_id: number
}

export interface RunCommit {
  readonly run: RunRow
  readonly commit: Commit
  /** Mailbox row that the end of a plain run deletes. */
  readonly inboxRow: InboxRow | null
}

/**
 * Maximum of outputs in one commit. Their order number is the log's number times this plus an index; a row of an earlier release has only
 * the first part.
 */
const OUTPUTS_OF_ONE = 1_000

const CommittedRun = Schema.Struct({
  run_id: Schema.String,
  cancel: Schema.Boolean,
  turns: Schema.Int,
  /** Keys of the requests that have waited for the end of the run or for its answer. */
  waits: Schema.NullOr(Schema.Array(Schema.String))
})

export const makeCommitStatement = Effect.gen(function* () {
  const sql = yield* Sql
  const { seal, sealText } = yield* makeSealed
  const outbox = yield* Outbox
  const failing = yield* makeFailureStreaks
  const wakeWaits = yield* makeWakeWaits
  const inserts = runInserts(sql)

  /**
   * Writes the commits. The end of a run deletes its slot, its mailbox row, and the event if no other row needs it. A run is committed only
   * if its row is where the executor expects it. A crash of the database server may lose commits that did not wait for the disk; the lost
   * steps are then executed again, not skipped.
   */
  const commit = Effect.fnUntraced(function* (all: ReadonlyArray<RunCommit>) {
    const committedAt = new Date(yield* Clock.currentTimeMillis)
    const input = all.map(({ commit: c, inboxRow, run }) => {
      const finishedRow = c.ending === null ? null : inboxRow
      const { body = null, ...head } = c.answer ?? {}
      return {
        run_id: run.run_id,
        fence: run.fence,
        seq: run.log_seq,
        spent: run.credits,
        stood: run.cursor,
        cursor: c.cursor,
        credits: c.credits,
        executed_ms: c.executedMs,
        most_recent_error: c.mostRecentError,
        wait_why: c.waits?.why ?? null,
        wait_until: c.waits?.until ?? null,
        status: c.ending?.status ?? "running",
        failure_reason: c.ending?.failure_reason ?? null,
        error_message: c.ending?.error_message ?? null,
        over: c.ending !== null,
        ledger: c.ledger,
        logs: numbered(c.logs, run.log_seq),
        variables: c.variables.map((variable, index) => ({
          ...variable,
          value: seal(variable.value),
          seq: run.log_seq + index
        })),
        outputs: c.outputs.map((output, index) => ({
          ...output,
          output: seal(output.output),
          seq: (run.log_seq + 1) * OUTPUTS_OF_ONE + index
        })),
        answer: body === null ? null : seal(head),
        answer_body: body === null ? null : sealText(body),
        automation_id: run.automation_id,
        well: c.ending?.status === "completed" && run.type !== "simulation",
        row_id: finishedRow?.row_id ?? null,
        event_id: finishedRow?.event_id ?? null
      }
    })
    const hookAppIds = all.flatMap(({ commit: { ending, lazy }, run }) => [
      ...(lazy?.apps.map(String) ?? []),
      ...(ending?.status === "failed" ? [String(run.app_id)] : [])
    ])
    const lazy = all.every((one) => one.commit.lazy !== null)
    // The condition that is always true makes the planner expect one row, so that it uses the index however new its statistics are.
    const rows = yield* rowsOf(CommittedRun)(sql`
      WITH given AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${jsonText(input)}::jsonb) AS g (
          run_id bigint, fence bigint, seq int, spent int, stood jsonb, cursor jsonb, credits int, executed_ms bigint,
          most_recent_error text, wait_why text, wait_until timestamptz, status text, failure_reason text, error_message text, over boolean,
          ledger jsonb, logs jsonb, variables jsonb,
          outputs jsonb, answer jsonb, answer_body text, automation_id bigint, well boolean, row_id bigint, event_id bigint)
        WHERE run_id + 0 = run_id
      ), fenced AS (
        UPDATE runs r SET
          cursor = nullif(g.cursor, 'null'), log_seq = r.log_seq + jsonb_array_length(g.logs),
          credits = r.credits + g.credits, executed_ms = r.executed_ms + g.executed_ms,
          most_recent_error = g.most_recent_error, status = g.status, wait_why = g.wait_why, wait_until = g.wait_until,
          wait_since = CASE WHEN g.wait_why IS NOT NULL THEN ${committedAt}::timestamptz END,
          failure_reason = g.failure_reason, error_message = g.error_message,
          completed_on = CASE WHEN g.over THEN ${committedAt}::timestamptz END
        FROM given g
        WHERE r.run_id = g.run_id AND r.fence = g.fence AND r.status = 'running' AND r.log_seq = g.seq
          AND r.credits = g.spent AND nullif(r.cursor, 'null') IS NOT DISTINCT FROM nullif(g.stood, 'null')
        RETURNING r.run_id, r.record_id, r.cancel_requested_on IS NOT NULL AS cancel, g.seq, g.ledger, g.logs, g.variables, g.outputs,
          g.answer, g.answer_body, g.over, g.over OR g.wait_why IS NOT DISTINCT FROM 'called_run' AS turn_back, g.automation_id, g.well, g.row_id, g.event_id
      ), ledger AS (
        ${inserts.ledger(sql.literal("fenced"), committedAt)}
      ), log AS (
        ${inserts.logs(sql.literal("fenced"), committedAt)}
      ), variables AS (
        INSERT INTO run_variables (run_id, custom_type, label, seq, value)
        SELECT run_id, v.custom_type, v.label, v.seq, v.value
        FROM fenced, jsonb_to_recordset(fenced.variables) AS v (custom_type text, label text, seq int, value jsonb)
        ON CONFLICT (run_id, custom_type, label) DO UPDATE SET seq = excluded.seq, value = excluded.value
      ), outputs AS (
        INSERT INTO run_outputs (run_id, type, app_id, seq, output)
        SELECT run_id, o.type, o.app_id, o.seq, o.output
        FROM fenced, jsonb_to_recordset(fenced.outputs) AS o (type text, app_id bigint, seq int, output jsonb)
        ON CONFLICT (run_id, type, app_id) DO UPDATE SET seq = excluded.seq, output = excluded.output
      ), answered AS (
        INSERT INTO run_pages (run_id, html, answer) SELECT run_id, answer_body, answer FROM fenced WHERE answer_body IS NOT NULL
        ON CONFLICT (run_id) DO NOTHING RETURNING run_id
      ), place AS (
        DELETE FROM run_places p USING fenced f WHERE p.run_id = f.run_id AND f.over
      ), ${finishedRows(sql, "fenced")}, well AS (
        ${failing.over}
      ), turns AS (
        ${turnsGiven(sql, committedAt)}
      )
      SELECT run_id::text, cancel, (SELECT count(*) FROM turns) AS turns,
        CASE WHEN over OR run_id IN (SELECT run_id FROM answered) THEN ${waitKeysOf(sql, "fenced.run_id")} END AS waits,
        CASE WHEN ${lazy} THEN ${flushColumn(sql, hookAppIds)} END FROM fenced`)
    if (rows.some(({ turns }) => turns > 0)) yield* outbox.announce
    yield* wakeWaits(rows.flatMap(({ waits }) => waits ?? []))
    return new Map(rows.map(({ cancel, run_id }) => [run_id, cancel]))
  })

  return commit
})
