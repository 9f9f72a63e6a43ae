// Parts of the statements that create, commit and end runs: the one place that inserts runs, their log entries and their ledger rows
// (decisions A1). `from` names rows with `run_id`, in a CTE or a subselect in brackets.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { NewRun } from "./NewRun.ts"
import type { LogEntry } from "./RunRow.ts"

/** Columns of `runs` that a new run's row sets as they are. */
const RUN = `org_id bigint, app_id bigint, automation_id bigint, revision_id bigint, event_id bigint, type text, status text, cursor jsonb,
  durable boolean, record_id bigint, record_revision int, triggered_by_automation_id bigint, retry_of_run_id bigint, root_run_id bigint,
  caused_by_run_id bigint, depth int, chain bigint[], failure_reason text, error_message text, credits int, executed_ms bigint,
  created_on timestamptz, filtering_on timestamptz, started_on timestamptz, completed_on timestamptz, debounced_until timestamptz,
  traceparent text`
const LOG = `seq int, type text, status text, label text, messages jsonb, action_id text, record_id bigint, iteration text, detail jsonb`

const namesIn = (columns: string, of = "") =>
  columns
    .split(",")
    .map((column) => of + column.trim().split(" ")[0])
    .join(", ")

/** Columns of a new run for `jsonb_to_recordset`, as `newRunRow` makes it. */
export const newRunColumns = `row_id bigint, given_id bigint, trigger jsonb, logs jsonb, ${RUN}`

/** Numbers log entries. @param last number of the run's last entry so far */
export const numbered = (logs: ReadonlyArray<LogEntry>, last: number) =>
  logs.map((entry, index) => ({ ...entry, seq: last + index + 1 }))

/** Row of a run as it is created; a run that has failed already has also ended. */
export const newRunRow = ({ failure, ...run }: NewRun, now: Date) => {
  const begins = !run.durable && run.debounced_until === null
  return {
    ...run,
    logs: numbered(run.logs, 0),
    status: failure !== null ? "failed" : begins ? "running" : "pending",
    failure_reason: failure?.reason ?? null,
    error_message: failure?.message ?? null,
    credits: 0,
    executed_ms: 0,
    created_on: now,
    started_on: begins ? now : null,
    completed_on: failure === null ? null : now
  }
}

export const runInserts = (sql: Sql) => ({
  /** Inserts new runs in the order of `n`, except those whose event has created a run of the automation before. */
  runs: (from: Statement.Fragment) => sql`
    INSERT INTO runs (run_id, fence, log_seq, ${sql.literal(namesIn(RUN))}) OVERRIDING SYSTEM VALUE
    SELECT coalesce(given_id, nextval('runs_run_id_seq')), 1, jsonb_array_length(logs), ${sql.literal(namesIn(RUN))} FROM ${from} AS f ORDER BY n
    ON CONFLICT (automation_id, event_id) DO NOTHING
    RETURNING run_id, automation_id, event_id`,
  triggers: (from: Statement.Fragment) =>
    sql`INSERT INTO run_triggers (run_id, data) SELECT run_id, trigger FROM ${from} AS f`,
  /** Inserts the numbered entries of `logs`. */
  logs: (from: Statement.Fragment, at: unknown) => sql`
    INSERT INTO run_logs (run_id, logged_on, ${sql.literal(namesIn(LOG))})
    SELECT f.run_id, ${at}::timestamptz, ${sql.literal(namesIn(LOG, "l."))}
    FROM ${from} AS f, jsonb_to_recordset(f.logs) AS l (${sql.literal(LOG)})`,
  /** Inserts or replaces the rows of `ledger`. */
  ledger: (from: Statement.Fragment, at: unknown) => sql`
    INSERT INTO run_ledger (run_id, path, iteration, action_id, state, attempts, result, started_on, done_on)
    SELECT f.run_id, l.path, l.iteration, l.action_id, l.state, l.attempts, l.result, ${at}::timestamptz,
      CASE WHEN l.state <> 'started' THEN ${at}::timestamptz END
    FROM ${from} AS f, jsonb_to_recordset(f.ledger) AS l (path text, iteration text, action_id text, state text, attempts int, result jsonb)
    ON CONFLICT (run_id, path, iteration) DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
      result = coalesce(excluded.result, run_ledger.result), done_on = excluded.done_on`
})

/**
 * Parts of a statement that removes finished mailbox rows, and each event with its last row, as `mailbox` and `event`.
 * @param from CTE of rows with `row_id` and `event_id`, both null where nothing is finished
 */
export const finishedRows = (sql: Sql, from: string) =>
  sql.literal(`mailbox AS (
    DELETE FROM automation_inbox i USING ${from} f WHERE i.row_id = f.row_id
  ), event AS (
    DELETE FROM automation_events e USING ${from} f WHERE e.event_id = f.event_id AND NOT EXISTS (
      SELECT 1 FROM automation_inbox i WHERE i.event_id = e.event_id
        AND i.row_id NOT IN (SELECT row_id FROM ${from} WHERE row_id IS NOT NULL))
  )`)

/** Column of a statement whose commit does not wait for the disk (docs/architecture/runs.md), unless active hooks of `apps` hear of it. */
export const flushColumn = (sql: Sql, apps: unknown) => sql`set_config('synchronous_commit', CASE
  WHEN NOT EXISTS (SELECT 1 FROM hooks WHERE app_id = ANY(${apps}::text[]::bigint[]) AND status = 'active')
  THEN 'off' ELSE current_setting('synchronous_commit') END, true)`

/** SQL value for `logs`: one entry of the run itself, with the number `log_seq` of its row. Values are SQL or texts. */
export const runEntry = (sql: Sql, entry: Readonly<Record<"label" | "level" | "message" | "status", unknown>>) => sql`
  jsonb_build_array(jsonb_build_object('seq', log_seq, 'type', 'exception', 'status', ${entry.status}::text, 'label', ${entry.label}::text,
    'messages', jsonb_build_array(jsonb_build_object('message', ${entry.message}::text, 'level', ${entry.level}::text))))`
