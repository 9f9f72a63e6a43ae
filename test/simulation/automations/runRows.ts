// The runs that a schedule has left, with their logs and ledgers, and the events that might have fired them.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

interface Ledger {
  readonly path: string
  readonly iteration: string
  readonly action_id: string
  readonly state: string
  readonly attempts: number
}
interface Log {
  readonly seq: number
  readonly type: string
  readonly status: string
  readonly action_id: string | null
  readonly iteration: string | null
  readonly loggedAt: number
}
export interface Run {
  readonly run_id: string
  readonly automation_id: number
  readonly event_id: number
  readonly record_id: number | null
  readonly status: string
  readonly durable: boolean
  readonly log_seq: number
  readonly error_message: string | null
  readonly started: number | null
  readonly completed: number | null
  readonly debounced: boolean
  /** Places of its first and of its last change among those of all runs. */
  readonly begin: number
  readonly end: number
  /** Place at which an executor took it for the first time, or it was cancelled; null: never. */
  readonly start: number | null
  readonly logs: ReadonlyArray<Log>
  readonly ledger: ReadonlyArray<Ledger>
}
export interface Event {
  readonly event_id: number
  readonly type: string
  readonly app_id: number
  readonly record_id: number | null
  readonly workflow: boolean
  readonly depth: number
  readonly payload: {
    readonly automation_id?: number
    /** Of a call whose step waits for the run. */
    readonly awaited?: { readonly run_id: string }
    readonly cells?: Readonly<Record<string, ReadonlyArray<string>>>
  }
}

export const runsOf = (sql: SqlClient.SqlClient) =>
  sql<Run>`
    SELECT run_id::text, automation_id::int, event_id::int, record_id::int, status, durable, log_seq, error_message,
      (SELECT min(number)::int FROM observed_runs o WHERE o.run_id = r.run_id) AS "begin",
      (SELECT max(number)::int FROM observed_runs o WHERE o.run_id = r.run_id) AS "end",
      (SELECT min(number)::int FROM observed_runs o WHERE o.run_id = r.run_id AND o.fence > 1) AS "start",
      extract(epoch FROM started_on)::float8 AS started, extract(epoch FROM completed_on)::float8 AS completed,
      coalesce((SELECT jsonb_agg(jsonb_build_object('seq', seq, 'type', l.type, 'status', l.status, 'action_id', action_id,
        'iteration', iteration, 'loggedAt', extract(epoch FROM logged_on)) ORDER BY seq) FROM run_logs l WHERE l.run_id = r.run_id), '[]') AS logs,
      coalesce((SELECT jsonb_agg(to_jsonb(g) ORDER BY path, iteration) FROM run_ledger g WHERE g.run_id = r.run_id), '[]') AS ledger
    FROM runs r ORDER BY r.run_id`

export const eventsOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<Event>`
      SELECT event_id::int, type, app_id::int, record_id::int, workflow, depth, payload FROM observed_events
      WHERE event_id NOT IN (SELECT event_id FROM outbox) ORDER BY event_id`,
    (rows) => rows
  )
