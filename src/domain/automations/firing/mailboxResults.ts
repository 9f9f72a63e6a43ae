// Commits the results of mailbox rows: creates runs and removes rows in batches, and sets rows aside (design: actors, point 6).
import { Clock, Effect, Schema } from "effect"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { wakeEvent } from "../model/fireCommand.ts"
import { turnsGiven } from "../run/ConcurrencyLimits.ts"
import { makeFailureStreaks } from "../run/failureStreaks.ts"
import { makeRunCalls } from "../run/runCalls.ts"
import { runEntry, runInserts } from "../run/runInserts.ts"
import { countEndsAfterCommit, EndedRun } from "../run/runMetrics.ts"
import { makeWakeWaits } from "../run/waitingRequests.ts"
import type { CreatedRun } from "./creationStatement.ts"
import { makeAddChange } from "./debouncedRuns.ts"
import { type FiringDecision, MAX_DEPTH, noRun } from "./firing.ts"
import { type InboxEvent, makeRowReleases } from "./inboxRows.ts"
import { makeRunCreation } from "./runCreation.ts"

/** Result of a claimed row, committed in batches. */
export interface FiringResult {
  readonly row: InboxEvent
  readonly decision: FiringDecision
  /** Set once the commit of its creation is known; null if the event creates no run, or has created it before. */
  created: CreatedRun | null
}

/**
 * True if the commit of the results waits for the disk. A lost commit of others only means that their events are decided again. A workflow
 * or a waiting caller, however, must not know of a run that is lost. Who waits for a plain run learns of it by the commit that answers or
 * ends it, which flushes this one along.
 */
export const mustFlush = (results: ReadonlyArray<Pick<FiringResult, "decision">>) =>
  results.some(({ decision }) =>
    decision.type === "none"
      ? decision.wait_key !== null || decision.awaited !== null
      : decision.run.durable || decision.run.failure !== null
  )

const FailedRun = Schema.Struct({ run_id: Schema.String, ...EndedRun.fields })
const NamedAutomation = Schema.Struct({ automation_id: Schema.Int, name: Schema.String })

export const makeResults = Effect.gen(function* () {
  const sql = yield* Sql
  const outbox = yield* Outbox
  const failing = yield* makeFailureStreaks
  const takeIn = makeAddChange(sql)
  const calls = makeRunCalls(sql)
  const wakeWaits = yield* makeWakeWaits
  const { createPrompt, createRuns } = yield* makeRunCreation
  const inserts = runInserts(sql)
  const { remove } = makeRowReleases(sql)

  /** Logs the automation whose run would exceed the maximum depth, in the log of the run that caused it (7.5 rule 4). */
  const warnTooDeep = Effect.fnUntraced(function* ({ automation_id, event }: InboxEvent) {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    const chain = [...(event.cause?.chain ?? []), automation_id]
    const names = yield* rowsOf(NamedAutomation)(sql`
      SELECT automation_id, name FROM automations WHERE automation_id = ANY(${chain.map(String)}::text[]::bigint[])`)
    const nameOf = (id: number) => `${names.find((row) => row.automation_id === id)?.name ?? "automation"} (${id})`
    const previousIndex = chain.slice(0, -1).lastIndexOf(automation_id)
    const cycle = chain.slice(Math.max(0, previousIndex))
    const message =
      `No further run: ${nameOf(automation_id)} would be link ${MAX_DEPTH + 1} of a chain, and a chain has at most ${MAX_DEPTH}. ` +
      `${previousIndex >= 0 ? "The cycle is" : "The chain is"} ${cycle.map(nameOf).join(" → ")}.`
    yield* Effect.logWarning(message)
    if (event.cause === null) return
    const warning = runEntry(sql, { label: "Chain of automations", level: "warn", message, status: "skipped" })
    yield* sql`
      WITH run AS (UPDATE runs SET log_seq = log_seq + 1 WHERE run_id = ${event.cause.run_id}::bigint
        RETURNING run_id, ${warning} AS logs)
      ${inserts.logs(sql.literal("run"), nowDate)}`
  })

  /** Tells callers, and requests that wait under a key, that there is no run or that it has already ended. */
  const tell = Effect.fnUntraced(function* (results: ReadonlyArray<Pick<FiringResult, "decision">>) {
    const refusedWaits = results.flatMap(({ decision }) =>
      decision.type === "none" && decision.wait_key !== null ? [{ key: decision.wait_key, why: decision.why }] : []
    )
    if (refusedWaits.length > 0)
      yield* sql`
        UPDATE run_waits w SET refused = r.why
        FROM jsonb_to_recordset(${JSON.stringify(refusedWaits)}::jsonb) AS r (key text, why text) WHERE w.wait_key = r.key`
    const failedWaits = results.flatMap(({ decision }) =>
      decision.type !== "none" && decision.run.failure !== null && decision.run.wait_key !== null
        ? [decision.run.wait_key]
        : []
    )
    yield* wakeWaits([...refusedWaits.map(({ key }) => key), ...failedWaits])
    const refusedCalls = results.flatMap(({ decision }) =>
      decision.type === "none" && decision.awaited !== null ? [{ ...decision.awaited, why: decision.why }] : []
    )
    if (refusedCalls.length > 0) yield* calls.refuse(refusedCalls)
    const wakeEvents = results.flatMap(({ decision }) => {
      const failed = decision.type === "run" && decision.run.failure !== null
      const awaited = decision.type === "none" ? decision.awaited : failed ? decision.run.awaited : null
      return awaited === null ? [] : [wakeEvent(awaited)]
    })
    yield* outbox.append(wakeEvents)
  })

  /** Returns the runs that it has created, in the caller's transaction. */
  const applyResults = Effect.fnUntraced(function* (results: ReadonlyArray<FiringResult>) {
    const callers = results.flatMap(({ decision }) =>
      decision.type === "none" ? [] : (decision.run.awaited?.run_id ?? [])
    )
    const openCallers = callers.length === 0 ? new Set<string>() : yield* calls.openCallers(callers)
    // A caller that has ended waits for nothing any more.
    const abandoned = ({ decision }: FiringResult) =>
      decision.type !== "none" && decision.run.awaited !== null && !openCallers.has(decision.run.awaited.run_id)
    const takenIn = new Set<FiringResult>()
    for (const result of results) {
      if (result.decision.type === "gather" && (yield* takeIn(result.decision))) takenIn.add(result)
    }
    const runs = results.flatMap((result) =>
      result.decision.type === "none" || takenIn.has(result) || abandoned(result)
        ? []
        : [{ result, run: result.decision.run }]
    )
    for (const { decision, row } of results)
      if (decision.type === "none" && decision.why === "too_deep") yield* warnTooDeep(row)
    const createdRuns = yield* createRuns(runs.map(({ run }) => run))
    // An event that was fanned out again has created its run before.
    const created = new Map(createdRuns.map((run) => [run.row_id, run]))
    yield* tell(results)
    const openRuns = runs.filter(({ run }) => run.failure === null && created.get(run.row_id)?.over === false)
    const openRows = new Set(openRuns.map(({ result }) => result.row))
    yield* remove(...results.map(({ row }) => row).filter((row) => !openRows.has(row)))
    return createdRuns
  })

  /**
   * Commits a batch: in one statement if all of it is runs that begin at once, else what is left of it in a transaction. If an answer is lost,
   * the rows carry the runs that were created, if any: the next activation resumes them. A repeat would take them for those of another row.
   */
  const writeResults = Effect.fnUntraced(function* (results: ReadonlyArray<FiringResult>, activation: Activation) {
    const recordCreated = (createdRuns: ReadonlyArray<CreatedRun>) => {
      const runsByRow = new Map(createdRuns.map((run) => [run.row_id, run]))
      for (const result of results) result.created = runsByRow.get(result.row.row_id) ?? result.created
    }
    const runs = results.flatMap(({ decision }) => (decision.type === "run" ? [decision.run] : []))
    if (runs.length === results.length) recordCreated(yield* createPrompt(runs, activation))
    const others = results.filter(({ created }) => created === null)
    if (others.length > 0) recordCreated(yield* activation.once.commit(applyResults(others), mustFlush(others)))
  })

  const aside = Effect.fnUntraced(function* (row: InboxEvent, cause: string) {
    if (row.run_id !== null) {
      const nowDate = new Date(yield* Clock.currentTimeMillis)
      const failure = runEntry(sql, { label: "Run", level: "error", message: cause, status: "failure" })
      const endedRuns = yield* rowsOf(FailedRun)(sql`
        WITH run AS (
          UPDATE runs SET status = 'failed', failure_reason = 'actions_failed', error_message = ${cause},
            completed_on = ${nowDate}, fence = fence + 1, log_seq = log_seq + 1, place_wanted_on = NULL
          WHERE run_id = ${row.run_id}::bigint AND status IN ('pending', 'running')
          RETURNING run_id, automation_id, record_id, type, created_on, ${failure} AS logs
        ), place AS (DELETE FROM run_places WHERE run_id IN (SELECT run_id FROM run)), fenced AS (
          SELECT automation_id, record_id, true AS turn_back FROM run
        ), turns AS (${turnsGiven(sql, nowDate)}), log AS (${inserts.logs(sql.literal("run"), nowDate)})
        SELECT run_id::text, type, created_on FROM run`)
      yield* countEndsAfterCommit(sql, "failed", endedRuns, nowDate)
      yield* outbox.announce
      yield* failing.begin(endedRuns.map(({ run_id }) => ({ run_id, label: null })))
    } else yield* tell([{ decision: noRun(row.event, "set_aside") }])
    yield* remove(row)
  })

  return { settle: writeResults, aside }
})
