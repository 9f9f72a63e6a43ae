// Several steps of one durable run in one transaction, as in the turns of a loop: what they leave for the run goes in together at
// its end, one ledger row and one log entry each as ever (decisions A1). If anything happens, all of it is rolled back and the
// steps are taken one by one.
import { Clock, Effect, Exit, Semaphore } from "effect"
import type { ActionType } from "../actions/registry.ts"
import type { Cursor, PlanNode } from "../model/Plan.ts"
import { withMoment } from "../model/sharedReads.ts"
import type { RunContext } from "../run/RunContext.ts"
import { type Commit, type Ending, RunTaken } from "../run/RunRow.ts"
import { lastOf } from "../run/stepEntries.ts"
import { costs } from "../run/stepKinds.ts"
import type { SliceLimits } from "../steps/SegmentExecutor.ts"
import { type Core, type Executed, isEnding } from "./stepCommit.ts"

type One = (node: PlanNode, cursor: Cursor) => Executed<Cursor | Ending | null>

/** Others wait for so long for the run's records, and a cancel for being heard. */
const CHUNK_MILLIS = 100
/** A step that takes longer is taken alone for some turns, so that no lock is held meanwhile. */
const SLOW_MILLIS = 150
const SLOW_TURNS = 5
/** When a step keeps the transaction open for longer all is taken back. */
const PATIENCE = "2 seconds"
/** Chunks at once: each keeps a connection. */
const AT_ONCE = 4
const LOCK_MILLIS = 200
const IDLE_MILLIS = 10_000
/** Steps one by one after a chunk that was rolled back, twice as many each time. */
const ALONE_AT_MOST = 1_000

/** What the steps leave, as if one step had left it. */
const merged = (all: ReadonlyArray<Commit>): Commit => {
  const apps = all.every(({ lazy }) => lazy !== null) ? all.flatMap(({ lazy }) => lazy!.apps) : null
  const sum = (of: (one: Commit) => number) => all.reduce((total, one) => total + of(one), 0)
  return {
    ...all.at(-1)!,
    ledger: lastOf(
      all.flatMap(({ ledger }) => ledger),
      ({ iteration, path }) => `${path} ${iteration}`
    ),
    logs: all.flatMap(({ logs }) => logs),
    variables: lastOf(
      all.flatMap(({ variables }) => variables),
      ({ custom_type, label }) => `${custom_type} ${label}`
    ),
    outputs: lastOf(
      all.flatMap(({ outputs }) => outputs),
      ({ app_id, type }) => `${type} ${app_id}`
    ),
    credits: sum(({ credits }) => credits),
    executedMs: sum(({ executedMs }) => executedMs),
    lazy: apps === null ? null : { apps: [...new Set(apps)] }
  }
}

export const makeChunks = Effect.fnUntraced(function* ({ overLimit, sql, store, spend }: Core) {
  const places = yield* Semaphore.make(AT_ONCE)
  const millis = Clock.currentTimeMillis
  const bounded = sql`SELECT set_config('lock_timeout', ${String(LOCK_MILLIS)}, true),
    set_config('idle_in_transaction_session_timeout', ${String(IDLE_MILLIS)}, true)`

  /** For one segment. */
  return (context: RunContext, limits: SliceLimits, takes: (node: PlanNode, cursor: Cursor) => boolean, one: One) => {
    const slow = new Map<string, number>()
    let alone = 0
    let penalty = 1

    const steps = Effect.fnUntraced(function* (from: Cursor, left: Array<Commit>, count: () => void) {
      const { run } = context
      const begun = yield* millis
      yield* bounded
      let cursor: Cursor | null = from
      while (cursor !== null) {
        const node: PlanNode | undefined = context.revision.plan.nodes.get(cursor.path)
        if (
          node === undefined ||
          slow.has(node.path) ||
          !takes(node, cursor) ||
          overLimit(context, costs(node.action.type as ActionType)) !== null
        )
          break
        const at: number = yield* millis
        if (at - begun > CHUNK_MILLIS || (left.length > 0 && (yield* limits.stop))) break
        count()
        const next: Cursor | Ending | null = yield* one(node, cursor)
        if (isEnding(next)) return yield* Effect.die(new Error("a run has ended in the middle of its steps"))
        cursor = next
        if ((yield* millis) - at > SLOW_MILLIS) slow.set(node.path, SLOW_TURNS)
      }
      if (left.length > 0) {
        const commit = merged(left)
        const cancel = (yield* store.commit([{ run, commit, inboxRow: null }])).get(run.run_id)
        if (cancel === undefined) return yield* new RunTaken({ runId: run.run_id })
        const heard = cancel ? new Date(yield* millis) : null
        yield* sql.afterCommit(
          Effect.suspend(() => {
            context.run = { ...context.run, cancel_requested_on: heard }
            return spend(run.org_id, commit.credits)
          })
        )
      }
      return cursor
    })

    /** Where the run stands behind the steps that are committed; undefined: the next step is taken alone. */
    return Effect.fnUntraced(function* (node: PlanNode, from: Cursor) {
      if (alone > 0) {
        alone--
        return undefined
      }
      const turns = slow.get(node.path)
      if (turns !== undefined) {
        if (turns > 1) slow.set(node.path, turns - 1)
        else slow.delete(node.path)
        return undefined
      }
      if (!takes(node, from)) return undefined
      const attempt = Effect.gen(function* () {
        yield* context.load
        const back = context.snapshot()
        const left: Array<Commit> = []
        context.open = left
        let count = 0
        const exit = yield* sql
          .withTransaction(withMoment(steps(from, left, () => count++)))
          .pipe(Effect.timeout(PATIENCE), Effect.exit)
        context.open = null
        if (Exit.isSuccess(exit)) {
          penalty = 1
          return exit.value
        }
        back()
        penalty = Math.min(ALONE_AT_MOST, penalty * 2)
        alone = Math.max(count, penalty) - 1
        yield* Effect.logDebug("steps are taken one by one", exit.cause)
        return undefined
      })
      const tried = yield* places.withPermitsIfAvailable(1)(attempt)
      return tried._tag === "Some" ? tried.value : undefined
    })
  }
})
