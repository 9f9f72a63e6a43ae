// Creates, executes and ends many runs in one statement (docs/architecture.md). It writes run, trigger, log, ledger and record change, and
// deletes the mailbox row, under the fence of the app's actor. It leaves a run to the ordinary path if no concurrency slot is free, the
// automation has a concurrency limit, or the record or app has changed since the step read it. The statement waits for no lock.
import { Clock, Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { compiledOnce, type Slots, slotsOf } from "../../../platform/sql/compiledOnce.ts"
import { jsonText } from "../../../platform/sql/json.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { type ChangeValues, changeGiven, changeParts } from "../../records/writing/changeParts.ts"
import type { ChangedRow } from "../../records/writing/recordChange.ts"
import type { InboxRow } from "../run/commitStatement.ts"
import { makeFailureStreaks } from "../run/failureStreaks.ts"
import type { NewRun } from "../run/NewRun.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import type { Commit, RunRow } from "../run/RunRow.ts"
import { finishedRows, flushColumn, newRunColumns, newRunRow, runInserts } from "../run/runInserts.ts"
import { type InstantValues, instantValues } from "../run/slotStatements.ts"

/** Output of the only step of a run, which also ends the run. */
export interface SingleStatementStep {
  readonly commit: Commit
  readonly change: ChangedRow
  /** Version of the record's app from which the change was computed. */
  readonly version: number
}

export interface SingleStatementRun extends SingleStatementStep {
  readonly run: RunRow
  readonly fired: NewRun
  readonly inboxRow: InboxRow
}

/** Organization, app and activation for which the statement runs; it writes only while the activation holds the fence. */
export interface SingleStatementRunsOf {
  readonly app_id: number
  readonly org_id: number
  readonly key: string
  readonly fence: number
}

interface Values extends SingleStatementRunsOf, ChangeValues, InstantValues {
  /** `runs` and `changes` are JSON texts. */
  readonly runs: string
  readonly changes: string
  /** Apps whose hooks may receive events of the changes. */
  readonly told: ReadonlyArray<string>
}
const slots = slotsOf<Values>()

const Made = Schema.Struct({
  held: Schema.Boolean,
  room: Schema.Int,
  places: Schema.Int,
  runs: Schema.Array(Schema.String)
})

/** @param mine body of a CTE that returns a row while the activation holds its fence */
export const makeSingleStatementRuns = Effect.fnUntraced(function* (
  mine: (holder: Slots<Pick<SingleStatementRunsOf, "fence" | "key">>) => Statement.Fragment
) {
  const sql = yield* Sql
  const outbox = yield* Outbox
  const runSlots = yield* OrganizationSlots
  const failing = yield* makeFailureStreaks

  const compiled = compiledOnce<Values>(sql)
  const { cells, columns, event } = changeParts(sql, slots)
  const inserts = runInserts(sql)

  const statement = () => sql`
      WITH mine AS MATERIALIZED (${mine(slots)}), given AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${slots.runs}::jsonb) AS g (
          n int, ${sql.literal(newRunColumns)}, version int, revision int, ledger jsonb, cells jsonb, title text, retitled boolean)
        WHERE row_id + 0 = row_id
      ), ${runSlots.forAnInstant(slots)}, ready AS MATERIALIZED (
        SELECT g.* FROM mine, given g JOIN open USING (n)
          JOIN automation_inbox b ON b.row_id = g.row_id AND b.run_id IS NULL AND b.fence = ${slots.fence}
          JOIN automations a ON a.automation_id = g.automation_id AND a.concurrency IS NULL AND a.deleted_on IS NULL
          JOIN apps p ON p.app_id = ${slots.app_id} AND p.version = g.version
          JOIN records r ON r.record_id = g.record_id AND r.app_id + 0 = p.app_id AND r.deleted_on IS NULL
            AND r.revision = g.revision AND r.cells = g.cells AND (g.retitled OR r.title IS NOT DISTINCT FROM g.title)
        FOR KEY SHARE OF p SKIP LOCKED FOR UPDATE OF r SKIP LOCKED
      ), made AS (
        ${inserts.runs(sql.literal("ready"))}
      ), fresh AS MATERIALIZED (
        SELECT made.run_id, ready.* FROM ready JOIN made USING (automation_id, event_id)
      ), triggers AS (
        ${inserts.triggers(sql.literal("fresh"))}
      ), logs AS (
        ${inserts.logs(sql.literal("fresh"), slots.now)}
      ), ledger AS (
        ${inserts.ledger(sql.literal("fresh"), slots.now)}
      ), i AS MATERIALIZED (
        SELECT x.* FROM fresh, jsonb_to_record(${slots.changes}::jsonb -> (fresh.n - 1)) AS x (${columns})
      ), ${cells}, events AS (
        ${event}
      ), ${finishedRows(sql, "fresh")}, fenced AS (
        SELECT automation_id, true AS well FROM fresh
      ), well AS (
        ${failing.over}
      )
      SELECT EXISTS (SELECT 1 FROM mine) AS held, (SELECT n FROM room) AS room, (SELECT count(*) FROM open) AS places,
        ARRAY(SELECT run_id::text FROM fresh) AS runs, ${flushColumn(sql, slots.told)}`

  /**
   * Runs the statement for runs of different records. Returns the ids of the runs that were created and completed, and two counts: `room`
   * says how many runs, from the first on, fit into the organization's concurrency limit; `places` says how many of these slots no other
   * transaction had locked. Null if another activation holds the fence.
   */
  return Effect.fnUntraced(function* (all: ReadonlyArray<SingleStatementRun>, of: SingleStatementRunsOf) {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    const input = all.map(({ change, commit, fired, inboxRow, run, version }, index) => ({
      ...newRunRow({ ...fired, given_id: run.run_id, logs: [...fired.logs, ...commit.logs] }, run.created_on),
      ...{ n: index + 1, row_id: inboxRow.row_id, version, revision: change.revision - 1, ledger: commit.ledger },
      // Titles and values that refer to other records can change without a new revision of the record: the statement compares them.
      ...{ cells: change.previous, title: change.title, retitled: change.former.title !== undefined },
      ...{
        status: "completed",
        cursor: null,
        credits: commit.credits,
        executed_ms: commit.executedMs,
        completed_on: nowDate
      }
    }))
    // Plain JSON without cleaning: a value that Postgres refuses fails the statement, and the ordinary path reports the error.
    const changes = JSON.stringify(all.map(({ change, fired }) => changeGiven(change, fired.traceparent)))
    const hookAppIds = all.flatMap(({ commit }) => commit.lazy?.apps ?? [])
    const values: Values = {
      ...{ ...of, ...instantValues(of.org_id, all.length) },
      ...{ now: nowDate, runs: jsonText(input), changes, told: hookAppIds.map(String) }
    }
    const outcome = yield* rowOf(Made)(compiled("whole", values, statement))
    if (outcome?.held !== true) return null
    if (outcome.runs.length > 0) {
      yield* outbox.announce
      yield* runSlots.freed(of.org_id)
    }
    return { runs: new Set(outcome.runs), room: outcome.room, places: outcome.places }
  })
})
