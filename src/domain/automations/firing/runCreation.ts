// Creates many runs in one commit, with trigger data, first log entries and concurrency slots (developer-api.md 7.11 rules 1 and 7). An
// event never creates two runs of an automation: a repeat returns the first.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { isHeld } from "../../../engine/actors/fence.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { ConcurrencyLimits } from "../run/ConcurrencyLimits.ts"
import { Credits, NO_CREDITS_MILLIS } from "../run/Credits.ts"
import { type NewRun, onlyBegins } from "../run/NewRun.ts"
import { RunSlots } from "../run/RunSlots.ts"
import { countEnd } from "../run/runMetrics.ts"
import { NO_PLACE_MILLIS } from "../run/slotStatements.ts"
import { waitsForCredits } from "../run/waitReasons.ts"
import { makeCopyEarlierRun } from "./copyEarlierRun.ts"
import { type CreatedRun, creationStatement, type Made } from "./creationStatement.ts"

export const makeRunCreation = Effect.gen(function* () {
  const sql = yield* Sql
  const runSlots = yield* RunSlots
  const credits = yield* Credits
  const concurrencyLimits = yield* ConcurrencyLimits
  const { takeOver, takeValues } = makeCopyEarlierRun(sql)
  const { create, createPlaced } = creationStatement(sql, runSlots)

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

  /** Creates runs in the caller's transaction; an event that has created a run before creates none. */
  const createRuns = Effect.fnUntraced(function* (
    runs: ReadonlyArray<NewRun>
  ): Effect.fn.Return<ReadonlyArray<CreatedRun>, SqlError> {
    if (runs.length === 0) return []
    const millis = yield* Clock.currentTimeMillis
    const nowDate = new Date(millis)
    const createdRuns = yield* create(runs, nowDate)
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

  /**
   * Creates runs that begin at once in one statement, without a transaction. Returns those that it has created, with slots. The others need
   * `createRuns`: no slot or credit is left, or the run does more than begin. Waits while Postgres is away, as a commit does.
   */
  const createPrompt = Effect.fnUntraced(function* (runs: ReadonlyArray<NewRun>, activation: Activation) {
    if (!runs.every(onlyBegins)) return []
    const { app_id, org_id } = runs[0]!
    const creditsLeft = yield* activation.statement(credits.left(org_id), () => true)
    if (creditsLeft <= 0) return []
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    const statement = activation.once.statement(createPlaced(runs, nowDate, activation), isHeld)
    // Single-statement runs of this process lock slots for an instant: a statement beside theirs would skip these as if they were taken.
    const { hold, most } = yield* runSlots.instants(org_id)
    const rows = yield* hold(app_id, Math.min(runs.length, most))(statement)
    return rows.flatMap((row) => row.runs)
  }, Effect.scoped)

  return { createPrompt, createRuns }
})
