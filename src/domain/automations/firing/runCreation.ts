// Creates many runs in one commit, with trigger data, first log entries and concurrency slots (developer-api.md 7.11 rules 1 and 7). An
// event never creates two runs of an automation: a repeat returns the first.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { isHeld } from "../../../engine/actors/fence.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { ConcurrencyLimits } from "../run/ConcurrencyLimits.ts"
import { Credits, NO_CREDITS_MILLIS } from "../run/Credits.ts"
import { makeFailureStreaks } from "../run/failureStreaks.ts"
import { type NewRun, onlyBegins } from "../run/NewRun.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import { countEndsAfterCommit } from "../run/runMetrics.ts"
import { NO_PLACE_MILLIS } from "../run/slotStatements.ts"
import { waitsForCredits } from "../run/waitReasons.ts"
import { makeCopyEarlierRun } from "./copyEarlierRun.ts"
import { type CreatedRun, creationStatement } from "./creationStatement.ts"

export const makeRunCreation = Effect.gen(function* () {
  const sql = yield* Sql
  const runSlots = yield* OrganizationSlots
  const credits = yield* Credits
  const concurrencyLimits = yield* ConcurrencyLimits
  const { takeOver, takeValues } = makeCopyEarlierRun(sql)
  const failing = yield* makeFailureStreaks
  const { create, createPlaced, lockUnlimited } = creationStatement(sql, runSlots)

  /** Creates runs of an app in the caller's transaction; an event that has created a run before creates none. */
  const createRuns = Effect.fnUntraced(function* (
    runs: ReadonlyArray<NewRun>
  ): Effect.fn.Return<ReadonlyArray<CreatedRun>, SqlError> {
    if (runs.length === 0) return []
    const millis = yield* Clock.currentTimeMillis
    const nowDate = new Date(millis)
    const createdRuns = yield* create(runs, nowDate)
    const failedRuns = createdRuns.filter(({ status }) => status === "failed")
    yield* countEndsAfterCommit(sql, "failed", failedRuns, nowDate)
    for (const { run_id } of createdRuns.filter((one) => one.takes_over)) yield* takeOver(run_id)
    for (const { row_id, values_of } of runs) {
      const run = values_of === null ? undefined : createdRuns.find((one) => one.row_id === row_id)
      if (values_of !== null && run !== undefined) yield* takeValues(run.run_id, values_of)
    }
    // Runs that may not begin now, and those that have already ended, by the limits of their automations.
    const [late, over] = [new Set<string>(), new Set<string>()]
    const newcomersOf = [
      ...Map.groupBy(
        createdRuns.filter(({ open, type }) => open && type !== "simulation"),
        ({ automation_id }) => automation_id
      )
    ].sort(([a], [b]) => a - b)
    const enter = Effect.fnUntraced(function* (automations: typeof newcomersOf) {
      for (const [automationId, newcomers] of automations) {
        const entered = yield* concurrencyLimits.enter(automationId, newcomers)
        for (const { run_id } of newcomers) if (!entered.ready.has(run_id)) late.add(run_id)
        for (const id of entered.over) over.add(id)
      }
    })
    const [limitedGroups, otherGroups] = [true, false].map((has) =>
      newcomersOf.filter(([, [run]]) => run!.limited === has)
    )
    yield* enter(limitedGroups!)
    // A run that fails locks itself before its automation's failures, so these follow the runs that make room.
    yield* failing.begin(failedRuns.map(({ run_id }) => ({ run_id, label: null })))
    const unlimitedIds = yield* lockUnlimited(otherGroups!.map(([automationId]) => automationId))
    yield* enter(otherGroups!.filter(([automationId]) => !unlimitedIds.has(automationId)))
    const openIds = createdRuns.flatMap(({ open, run_id }) => (open && !late.has(run_id) ? [run_id] : []))
    const { org_id } = runs[0]!
    const spent = openIds.length > 0 && (yield* credits.left(org_id)) <= 0
    const placed = yield* runSlots.take(org_id, spent ? [] : openIds)
    const pendingIds = openIds.filter((id) => !placed.has(id))
    if (pendingIds.length > 0) {
      const retryAt = new Date(millis + (spent ? NO_CREDITS_MILLIS : NO_PLACE_MILLIS))
      const rowIds = runs.map(({ row_id }) => String(row_id))
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
      ({ row_id, run_id }): CreatedRun => ({ row_id, run_id, placed: placed.has(run_id), over: over.has(run_id) })
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
