// Runs that are over as they begin, many in one statement: run, what fired it, log, ledger and the change of its record go in, and its
// mailbox row goes, under the fence of the app's actor (docs/architecture.md). A run is left out, and takes the ordinary way, where it has
// no place at once or turns to wait for, or its record or app is not what its step has read. Nothing here waits for a lock.
import { Clock, Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { compiledOnce, type Slots, slotsOf } from "../../../ground/sql/compiledOnce.ts"
import { jsonText } from "../../../ground/sql/json.ts"
import { rowOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { type ChangeValues, changeGiven, changeParts } from "../../records/writing/changeParts.ts"
import type { ChangedRow } from "../../records/writing/recordChange.ts"
import type { InboxRow } from "../run/commitStatement.ts"
import { makeFailing } from "../run/failureStreaks.ts"
import type { NewRun } from "../run/NewRun.ts"
import { type InstantValues, instantValues } from "../run/placeStatements.ts"
import { RunPlaces } from "../run/RunPlaces.ts"
import type { Commit, RunRow } from "../run/RunRow.ts"

/** What the one step of a run leaves, which ends it. */
export interface WholeStep {
  readonly commit: Commit
  readonly change: ChangedRow
  /** Of the record's app, as the change was worked out. */
  readonly version: number
}

export interface WholeRun extends WholeStep {
  readonly run: RunRow
  readonly fired: NewRun
  readonly inboxRow: InboxRow
}

/** Whose runs they are, while the activation holds its fence. */
export interface WholeRunsOf {
  readonly app_id: number
  readonly org_id: number
  readonly key: string
  readonly fence: number
}

interface Values extends WholeRunsOf, ChangeValues, InstantValues {
  /** Both in JSON. */
  readonly runs: string
  readonly changes: string
  /** Apps whose hooks may be told. */
  readonly told: ReadonlyArray<string>
}
const slots = slotsOf<Values>()

const Made = Schema.Struct({
  held: Schema.Boolean,
  room: Schema.Int,
  places: Schema.Int,
  runs: Schema.Array(Schema.String)
})

/** @param mine body of a CTE: a row while the activation holds its fence */
export const makeWholeRuns = Effect.fnUntraced(function* (
  mine: (holder: Slots<Pick<WholeRunsOf, "fence" | "key">>) => Statement.Fragment
) {
  const sql = yield* Sql
  const outbox = yield* Outbox
  const places = yield* RunPlaces
  const failing = makeFailing(sql, outbox)

  const compiled = compiledOnce<Values>(sql)
  const { cells, columns, event } = changeParts(sql, slots)

  const statement = () => sql`
      WITH mine AS MATERIALIZED (${mine(slots)}), given AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${slots.runs}::jsonb) AS g (
          n int, row_id bigint, run_id bigint, version int, revision int, event_id bigint, automation_id bigint, revision_id bigint, type text,
          record_id bigint, record_revision int, triggered_by_automation_id bigint, root_run_id bigint, caused_by_run_id bigint, depth int,
          chain bigint[], trigger jsonb, filtering_on timestamptz, created_on timestamptz, traceparent text, credits int, executed_ms bigint,
          logs jsonb, ledger jsonb, cells jsonb, title text, retitled boolean)
        WHERE row_id + 0 = row_id
      ), ${places.forAnInstant(slots)}, ready AS MATERIALIZED (
        SELECT g.* FROM mine, given g JOIN open USING (n)
          JOIN automation_inbox b ON b.row_id = g.row_id AND b.run_id IS NULL AND b.fence = ${slots.fence}
          JOIN automations a ON a.automation_id = g.automation_id AND a.concurrency IS NULL AND a.deleted_on IS NULL
          JOIN apps p ON p.app_id = ${slots.app_id} AND p.version = g.version
          JOIN records r ON r.record_id = g.record_id AND r.app_id + 0 = p.app_id AND r.deleted_on IS NULL
            AND r.revision = g.revision AND r.cells = g.cells AND (g.retitled OR r.title IS NOT DISTINCT FROM g.title)
        FOR KEY SHARE OF p SKIP LOCKED FOR UPDATE OF r SKIP LOCKED
      ), made AS (
        INSERT INTO runs (run_id, org_id, app_id, automation_id, revision_id, event_id, type, status, cursor, fence, durable, record_id,
          record_revision, triggered_by_automation_id, root_run_id, caused_by_run_id, depth, chain, log_seq, credits, executed_ms,
          created_on, filtering_on, started_on, completed_on, traceparent)
        OVERRIDING SYSTEM VALUE
        SELECT run_id, ${slots.org_id}::bigint, ${slots.app_id}::bigint, automation_id, revision_id, event_id, type, 'completed', NULL, 1, false,
          record_id, record_revision, triggered_by_automation_id, root_run_id, caused_by_run_id, depth, chain, jsonb_array_length(logs),
          credits, executed_ms, created_on, filtering_on, created_on, ${slots.now}::timestamptz, traceparent
        FROM ready ORDER BY n
        ON CONFLICT (automation_id, event_id) DO NOTHING
        RETURNING run_id
      ), fresh AS MATERIALIZED (
        SELECT ready.* FROM ready JOIN made USING (run_id)
      ), triggers AS (
        INSERT INTO run_triggers (run_id, data) SELECT run_id, trigger FROM fresh
      ), logs AS (
        INSERT INTO run_logs (run_id, seq, type, status, label, messages, action_id, record_id, iteration, detail, logged_on)
        SELECT run_id, l.seq, l.type, l.status, l.label, l.messages, l.action_id, l.record_id, l.iteration, nullif(l.detail, 'null'), ${slots.now}
        FROM fresh, jsonb_to_recordset(fresh.logs) AS l (seq int, type text, status text, label text, messages jsonb, action_id text,
          record_id bigint, iteration text, detail jsonb)
      ), ledger AS (
        INSERT INTO run_ledger (run_id, path, iteration, action_id, state, attempts, result, started_on, done_on)
        SELECT run_id, l.path, l.iteration, l.action_id, l.state, l.attempts, nullif(l.result, 'null'), ${slots.now}::timestamptz, ${slots.now}::timestamptz
        FROM fresh, jsonb_to_recordset(fresh.ledger) AS l (path text, iteration text, action_id text, state text, attempts int, result jsonb)
      ), i AS MATERIALIZED (
        SELECT x.* FROM fresh, jsonb_to_record(${slots.changes}::jsonb -> (fresh.n - 1)) AS x (${columns})
      ), ${cells}, events AS (
        ${event}
      ), mailbox AS (
        DELETE FROM automation_inbox b USING fresh WHERE b.row_id = fresh.row_id
      ), past AS (
        DELETE FROM automation_events e USING fresh WHERE e.event_id = fresh.event_id AND NOT EXISTS (
          SELECT 1 FROM automation_inbox b WHERE b.event_id = e.event_id AND b.row_id NOT IN (SELECT row_id FROM fresh))
      ), fenced AS (
        SELECT automation_id, true AS well FROM fresh
      ), well AS (
        ${failing.over}
      )
      SELECT EXISTS (SELECT 1 FROM mine) AS held, (SELECT n FROM room) AS room, (SELECT count(*) FROM open) AS places, ARRAY(SELECT run_id::text FROM fresh) AS runs, set_config('synchronous_commit', CASE
        WHEN NOT EXISTS (SELECT 1 FROM hooks WHERE app_id = ANY(${slots.told}::text[]::bigint[]) AND status = 'active')
        THEN 'off' ELSE current_setting('synchronous_commit') END, true)`

  /**
   * No two are of the same record. Those that are made and over; for how many of them, from the first on, there is room in the organization
   * (`room`), and for how many of these nobody else held the places at that moment (`places`). Null where another activation holds the fence.
   */
  return Effect.fnUntraced(function* (all: ReadonlyArray<WholeRun>, of: WholeRunsOf) {
    const at = new Date(yield* Clock.currentTimeMillis)
    const input = all.map(({ change, commit, fired, inboxRow, run, version }, index) => ({
      ...fired,
      n: index + 1,
      row_id: inboxRow.row_id,
      run_id: run.run_id,
      version,
      revision: change.revision - 1,
      // Titles and values that point to other records follow those without a revision.
      ...{ cells: change.previous, title: change.title, retitled: change.former.title !== undefined },
      credits: commit.credits,
      executed_ms: commit.executedMs,
      created_on: run.created_on,
      logs: [...fired.logs, ...commit.logs].map((entry, i) => ({ ...entry, seq: i + 1 })),
      ledger: commit.ledger
    }))
    // As it is: what Postgres refuses in a record is said by the ordinary way.
    const changes = JSON.stringify(all.map(({ change, fired }) => changeGiven(change, fired.traceparent)))
    const told = all.flatMap(({ commit }) => commit.lazy?.apps ?? [])
    const values: Values = {
      ...{ ...of, ...instantValues(of.org_id, all.length) },
      ...{ now: at, runs: jsonText(input), changes, told: told.map(String) }
    }
    const made = yield* rowOf(Made)(compiled("whole", values, statement))
    if (made?.held !== true) return null
    if (made.runs.length > 0) {
      yield* outbox.announce
      yield* places.freed(of.org_id)
    }
    return { runs: new Set(made.runs), room: made.room, places: made.places }
  })
})
