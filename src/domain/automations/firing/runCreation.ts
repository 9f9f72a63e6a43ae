// Creates many runs in one commit, with trigger data, first log entries and concurrency slots (developer-api.md 7.11 rules 1 and 7). An
// event never creates two runs of an automation: a repeat returns the first.
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { jsonText } from "../../../platform/sql/json.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { runHolder } from "../../records/files/File.ts"
import { Credits, NO_CREDITS_MILLIS } from "../run/Credits.ts"
import type { NewRun } from "../run/NewRun.ts"
import { NO_PLACE_MILLIS } from "../run/placeStatements.ts"
import { RunPlaces } from "../run/RunPlaces.ts"
import { RunTurns } from "../run/RunTurns.ts"
import { newRunColumns, newRunRow, runInserts } from "../run/runInserts.ts"
import { countEnd } from "../run/runMetrics.ts"
import { waitsForCredits } from "../run/waiting.ts"
import { takenOver } from "./takenOver.ts"

export interface CreatedRun {
  readonly row_id: number
  readonly run_id: string
  /** True if the run holds a concurrency slot: a plain one executes immediately, a durable one gets its workflow. */
  readonly placed: boolean
  /** True if the run was skipped, or replaced by the next one: its mailbox row has nothing to wait for. */
  readonly over: boolean
}

const Made = Schema.Struct({
  row_id: Schema.Int,
  run_id: Schema.String,
  org_id: Schema.Int,
  automation_id: Schema.Int,
  record_id: Schema.NullOr(Schema.Int),
  takes_over: Schema.Boolean,
  open: Schema.Boolean,
  limited: Schema.Boolean
})
type Made = typeof Made.Type

export const makeRunCreation = Effect.gen(function* () {
  const sql = yield* Sql
  const runSlots = yield* RunPlaces
  const credits = yield* Credits
  const concurrencyLimits = yield* RunTurns
  const { takeOver, takeValues } = takenOver(sql)
  const inserts = runInserts(sql)

  /**
   * Applies the concurrency limits of automations. Returns the runs that may not begin now (`late`) and those that have already ended
   * (`over`).
   */
  const inTurn = Effect.fnUntraced(function* (made: ReadonlyArray<Made>) {
    const queuedIds = new Set<string>()
    const endedIds = new Set<string>()
    const automations = [...Map.groupBy(made, ({ automation_id }) => automation_id)].sort(([a], [b]) => a - b)
    for (const [automationId, runs] of automations) {
      const entered = yield* concurrencyLimits.enter(automationId, runs)
      for (const { run_id } of runs) if (!entered.ready.has(run_id)) queuedIds.add(run_id)
      for (const id of entered.over) endedIds.add(id)
    }
    return { late: queuedIds, over: endedIds }
  })

  return Effect.fnUntraced(function* (
    runs: ReadonlyArray<NewRun>
  ): Effect.fn.Return<ReadonlyArray<CreatedRun>, SqlError> {
    if (runs.length === 0) return []
    const millis = yield* Clock.currentTimeMillis
    const nowDate = new Date(millis)
    const input = runs.map((run, index) => ({ ...newRunRow(run, nowDate), n: index }))
    const createdRuns = yield* rowsOf(Made)(sql`
      WITH input AS (
        SELECT * FROM jsonb_to_recordset(${jsonText(input)}::jsonb) AS i (
          n int, ${sql.literal(newRunColumns)}, wait_key text, awaited jsonb, takes_over boolean, handed jsonb)
      ), made AS (
        ${inserts.runs(sql.literal("input"))}
      ), fresh AS (
        SELECT made.run_id, input.* FROM made JOIN input USING (automation_id, event_id)
      ), triggers AS (
        ${inserts.triggers(sql.literal("fresh"))}
      ), logs AS (
        ${inserts.logs(sql.literal("fresh"), nowDate)}
      ), handed AS (
        INSERT INTO file_holds (file_id, holder)
        SELECT h.file_id, ${runHolder("")} || fresh.run_id
        FROM fresh, jsonb_array_elements_text(fresh.handed -> 'files') AS f (id), file_holds h
        WHERE h.file_id = f.id::bigint
          AND h.holder = ${runHolder("")} || (fresh.handed ->> 'by')
        ON CONFLICT DO NOTHING
      ), mailbox AS (
        UPDATE automation_inbox i SET run_id = fresh.run_id, claims = 0, parked = fresh.debounced_until IS NOT NULL,
          due_at = coalesce(fresh.debounced_until, i.due_at),
          fence = CASE WHEN fresh.debounced_until IS NULL THEN i.fence ELSE 0 END
        FROM fresh WHERE i.row_id = fresh.row_id
      ), calls AS (
        UPDATE run_calls c SET called_run_id = fresh.run_id FROM fresh
        WHERE c.run_id = (fresh.awaited ->> 'run_id')::bigint
          AND c.path = fresh.awaited ->> 'path' AND c.iteration = fresh.awaited ->> 'iteration'
          AND c.record_id = (fresh.awaited ->> 'record_id')::bigint
      ), waits AS (
        UPDATE run_waits w SET run_id = fresh.run_id FROM fresh WHERE w.wait_key = fresh.wait_key
      )
      SELECT f.row_id, f.run_id::text, f.org_id, f.automation_id, f.record_id, f.takes_over,
        f.status <> 'failed' AND f.debounced_until IS NULL AS open, a.concurrency IS NOT NULL AND f.type <> 'simulation' AS limited
      FROM fresh f LEFT JOIN automations a USING (automation_id) ORDER BY f.n`)
    yield* sql.afterCommit(
      Effect.sync(() => {
        for (const { failure, row_id, type } of runs)
          if (failure !== null && createdRuns.some((one) => one.row_id === row_id))
            countEnd("failed", { type, created_on: nowDate }, millis)
      })
    )
    for (const { run_id } of createdRuns.filter((one) => one.takes_over)) yield* takeOver(run_id)
    for (const { row_id, values_of } of runs) {
      const run = values_of === null ? undefined : createdRuns.find((one) => one.row_id === row_id)
      if (values_of !== null && run !== undefined) yield* takeValues(run.run_id, values_of)
    }
    const { late, over } = yield* inTurn(createdRuns.filter((one) => one.open && one.limited))
    const openRuns = createdRuns.filter((one) => one.open && !late.has(one.run_id))
    const placed = new Set<string>()
    for (const orgId of new Set(openRuns.map(({ org_id }) => org_id))) {
      const ids = openRuns.filter(({ org_id }) => org_id === orgId).map(({ run_id }) => run_id)
      const spent = (yield* credits.left(orgId)) <= 0
      const slotRunIds = spent ? new Set<string>() : yield* runSlots.take(orgId, ids)
      for (const id of slotRunIds) placed.add(id)
      const pendingIds = ids.filter((id) => !slotRunIds.has(id))
      if (pendingIds.length === 0) continue
      const retryAt = new Date(millis + (spent ? NO_CREDITS_MILLIS : NO_PLACE_MILLIS))
      const rowIds = openRuns.map(({ row_id }) => String(row_id))
      const creditsWait = spent ? sql`, ${waitsForCredits(sql, { now: nowDate, until: retryAt })}` : sql.literal("")
      yield* sql`
        WITH waiting AS (
          UPDATE runs SET status = 'pending', started_on = NULL${creditsWait}
          WHERE run_id = ANY(${pendingIds}::text[]::bigint[]) RETURNING run_id
        )
        UPDATE automation_inbox i SET due_at = ${retryAt}, fence = 0 FROM waiting
        WHERE i.row_id = ANY(${rowIds}::text[]::bigint[]) AND i.run_id = waiting.run_id`
    }
    return createdRuns.map(
      ({ row_id, run_id }): CreatedRun => ({
        row_id,
        run_id,
        placed: placed.has(run_id),
        over: over.has(run_id)
      })
    )
  })
})
