// Debounced runs, which coalesce the changes of a record before they fire (developer-api.md 7.13 `debounce_ms`; decisions A7). Such a run
// exists, pending, from the first change on. Its mailbox row is parked until the debounce time after the last change has passed. Each
// further change defers it, in the transaction that stores the change. When it is due, the filter is evaluated on all changes together.
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { jsonText } from "../../../platform/sql/json.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { RecordStates } from "../model/RecordStates.ts"
import type { TriggerData } from "../model/RunScope.ts"
import { ConcurrencyLimits } from "../run/ConcurrencyLimits.ts"
import { makeCancelRuns } from "../run/cancelRuns.ts"
import { makeFailureStreaks } from "../run/failureStreaks.ts"
import { type Revision, RevisionCache } from "../run/RevisionCache.ts"
import type { LoadedRun, LogEntry } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { numbered, runInserts } from "../run/runInserts.ts"
import { countEndsAfterCommit } from "../run/runMetrics.ts"
import { firesOnChange } from "../triggers/record_updated/firesOnChange.ts"
import { type FilterDecision, makeFilterDecision } from "./filterDecision.ts"
import type { FiringDecision } from "./firing.ts"
import { type InboxEvent, makeRowReleases } from "./inboxRows.ts"

export type DebounceDecision = Extract<FiringDecision, { type: "gather" }>

/** Pause before the next check, while changes of the record are still on their way through the outbox. */
const LOOK_AGAIN_MILLIS = 250

/** Outcome for a debounced run whose time has come. */
type Outcome =
  | {
      readonly type: "fires"
      readonly logs: ReadonlyArray<LogEntry>
      readonly failure: Exclude<FilterDecision, string>["failure"]
    }
  /** The run is deleted, since an event that the filter rejects leaves no run (7.11 rule 1). */
  | { readonly type: "mismatch" }
  | { readonly type: "ends"; readonly reason: string | null }

/** True if the fields that the trigger watches have their former values again, or none of them is among the changed ones. */
const isNoChange = ({ changed, type }: TriggerData, { definition: { trigger } }: Revision): boolean => {
  if (type !== "record_updated" || changed === null) return false
  const fields = trigger?.type === "record_updated" ? trigger.config.trigger_on_changes_field_ids : null
  return changed.length === 0 || !firesOnChange(fields, changed)
}

/** Adds a change to a debounced run; call it in the transaction that stores the change. Returns false if the run no longer waits. */
export const makeAddChange = (sql: Sql) =>
  Effect.fnUntraced(function* ({ into, run }: DebounceDecision) {
    if (into === null) return false
    const { caused_by_run_id, chain, cursor, depth, record_revision, revision_id, root_run_id } = run
    const rows = yield* sql`
      WITH moved AS (
        UPDATE runs SET debounced_until = ${run.debounced_until}::timestamptz, revision_id = ${revision_id}::bigint,
          durable = ${run.durable}, cursor = ${cursor === null ? null : jsonText(cursor)}::jsonb,
          record_revision = ${record_revision}, depth = greatest(depth, ${depth}::int), chain = ${chain.map(String)}::text[]::bigint[],
          root_run_id = ${root_run_id}::bigint, caused_by_run_id = ${caused_by_run_id}::bigint,
          triggered_by_automation_id = ${run.triggered_by_automation_id}
        WHERE run_id = ${into.run_id}::bigint AND debounced_until IS NOT NULL AND completed_on IS NULL RETURNING run_id
      ), data AS (
        UPDATE run_triggers t SET data = ${jsonText(into.trigger)}::jsonb FROM moved WHERE t.run_id = moved.run_id
      )
      UPDATE automation_inbox i SET due_at = ${run.debounced_until}::timestamptz, fence = 0, claims = 0
      FROM moved WHERE i.run_id = moved.run_id AND i.parked RETURNING i.row_id`
    return rows.length > 0
  })

const GatheringUntil = Schema.Struct({ until: Schema.Date })

export const makeDebouncedRuns = Effect.gen(function* () {
  const sql = yield* Sql
  const store = yield* RunStore
  const checkFilters = yield* makeFilterDecision
  const revisions = yield* RevisionCache
  const records = yield* RecordStates
  const concurrencyLimits = yield* ConcurrencyLimits
  const cancelRuns = makeCancelRuns(sql, yield* Outbox)
  const failing = yield* makeFailureStreaks
  const { release, remove } = makeRowReleases(sql)

  /** True if changes of the record have not reached the run yet, as after a downtime: they have to be processed first. */
  const isBehind = ({ run }: LoadedRun) =>
    Effect.map(
      sql`
        SELECT 1 WHERE EXISTS (SELECT 1 FROM automation_inbox WHERE app_id = ${run.app_id} AND automation_id = ${run.automation_id}
            AND lane = ${run.record_id} AND NOT parked AND run_id IS NULL)
          OR EXISTS (SELECT 1 FROM outbox WHERE app_id = ${run.app_id} AND record_id = ${run.record_id} AND set_aside IS NULL)`,
      (rows) => rows.length > 0
    )

  const outcomeOf = Effect.fnUntraced(function* (
    { holder, run, trigger }: LoadedRun,
    at: Date
  ): Effect.fn.Return<Outcome, SqlError> {
    if (holder.deleted) return { type: "ends", reason: null }
    const [record] = yield* records.byIds(run.org_id, run.record_id === null ? [] : [run.record_id])
    const isDeleted = record === undefined || record.deleted_on !== null
    if (isDeleted !== (trigger.type === "record_deleted")) {
      const reason = `The record was ${isDeleted ? "deleted" : "restored"} before the automation fired.`
      return { type: "ends", reason }
    }
    const revision = yield* revisions.get(run.revision_id)
    if (revision === null) return { type: "ends", reason: null }
    // The executor reports an unreadable revision.
    if (revision.unreadable !== null) return { type: "fires", logs: [], failure: null }
    if (isNoChange(trigger, revision)) return { type: "mismatch" }
    const filterResult = yield* checkFilters(
      { run: { ...run, run_id: "0" }, holder, trigger, fresh: true },
      revision,
      at
    )
    return filterResult === "mismatch" ? { type: "mismatch" } : { type: "fires", ...filterResult }
  })

  /** Applies the outcome in a transaction. Returns true if the mailbox row can be removed. */
  const carryOut = Effect.fnUntraced(function* (row: InboxEvent, { run }: LoadedRun, outcome: Outcome, at: Date) {
    const id = run.run_id
    if (outcome.type === "ends") {
      yield* cancelRuns([id], { at, reason: outcome.reason })
      return true
    }
    if (outcome.type === "mismatch") {
      for (const table of ["runs", "run_triggers", "run_logs"])
        yield* sql`DELETE FROM ${sql(table)} WHERE run_id = ${id}::bigint`
      return true
    }
    const { failure, logs } = outcome
    const newEntries = sql`(SELECT ${id}::bigint AS run_id, ${jsonText(numbered(logs, run.log_seq))}::jsonb AS logs)`
    yield* runInserts(sql).logs(newEntries, at)
    yield* sql`
      UPDATE runs r SET debounced_until = NULL, filtering_on = ${at}, log_seq = log_seq + ${logs.length}::int,
        status = CASE WHEN ${failure !== null} THEN 'failed' ELSE status END, failure_reason = ${failure?.reason ?? null},
        error_message = ${failure?.message ?? null}, completed_on = CASE WHEN ${failure !== null} THEN ${at}::timestamptz END
      WHERE r.run_id = ${id}::bigint`
    if (failure !== null) {
      yield* failing.begin([{ run_id: id, label: null }])
      yield* countEndsAfterCommit(sql, "failed", [run], at)
      return true
    }
    yield* sql`UPDATE automation_inbox SET parked = false, due_at = ${at}, fence = 0, claims = 0
      WHERE row_id = ${String(row.row_id)}::bigint`
    const { over } = yield* concurrencyLimits.enter(run.automation_id, [
      { row_id: row.row_id, run_id: id, record_id: run.record_id }
    ])
    return over.has(id)
  })

  /** Returns null if the run is no longer debounced, else the commit to run. If a change has arrived meanwhile, the run stays parked. */
  const due = Effect.fnUntraced(function* (row: InboxEvent) {
    const debounceRow = yield* rowOf(GatheringUntil)(sql`
      SELECT debounced_until AS until FROM runs
      WHERE run_id = ${row.run_id!}::bigint AND debounced_until IS NOT NULL AND completed_on IS NULL`)
    const loaded = debounceRow === undefined ? null : yield* store.read(row.run_id!)
    if (debounceRow === undefined || loaded === null) return null
    const decidedAt = new Date(yield* Clock.currentTimeMillis)
    const hasPendingChanges = debounceRow.until <= decidedAt && (yield* isBehind(loaded))
    const outcome = hasPendingChanges || debounceRow.until > decidedAt ? null : yield* outcomeOf(loaded, decidedAt)
    return Effect.gen(function* () {
      const [still] = yield* sql`
        SELECT 1 FROM runs WHERE run_id = ${row.run_id!}::bigint AND debounced_until = ${debounceRow.until} AND completed_on IS NULL
        FOR UPDATE`
      if (outcome === null || still === undefined) {
        const retryAt = new Date(decidedAt.getTime() + LOOK_AGAIN_MILLIS)
        yield* release(row, hasPendingChanges ? sql`greatest(due_at, ${retryAt})` : sql.literal("due_at"))
      } else if (yield* carryOut(row, loaded, outcome, decidedAt)) yield* remove(row)
    })
  })

  return { due }
})
