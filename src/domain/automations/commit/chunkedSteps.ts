// Commits several steps of one durable run in one transaction, such as the iterations of a loop. All run data is written at the end of the
// transaction, with one ledger row and one log entry for each step as in the other modes (decisions A1). On any failure the transaction is
// rolled back and the steps are executed one by one.
import { Clock, Data, Effect, Exit, Semaphore } from "effect"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { Cursor, PlanNode } from "../model/Plan.ts"
import { withMoment } from "../model/sharedReads.ts"
import type { RunContext, RunStep } from "../run/RunContext.ts"
import { isEnding, type Next } from "../run/RunRow.ts"
import type { RunLimits, SliceLimits } from "../run/runLimits.ts"
import { costs } from "../run/stepKinds.ts"
import type { Change, Committed, Committer } from "./Committer.ts"
import { defer } from "./deferredCommits.ts"
import { commitOf, type RunCommits } from "./runCommits.ts"

/** Longest chunk: for so long others wait for the run's records, and a cancel request for its answer. */
const CHUNK_MILLIS = 100
/** Duration from which a step runs alone for the next `SLOW_TURNS` times, so that no lock is held meanwhile. */
const SLOW_MILLIS = 150
const SLOW_TURNS = 5
/** A transaction that stays open for longer is rolled back. */
const PATIENCE = "2 seconds"
/** Chunks that may run at once in a process: each uses a connection. */
const AT_ONCE = 4
const LOCK_MILLIS = 200
const IDLE_MILLIS = 10_000
/** Upper bound of the number of steps that run one by one after a rollback. The number doubles with each rollback. */
const ALONE_AT_MOST = 1_000

/** The chunk cannot be committed with the step that it has reached: all of it is rolled back. */
export class ChunkAbandoned extends Data.TaggedError("ChunkAbandoned")<{ readonly cause: unknown }> {}

/** Input of the executor for one segment. */
export interface ChunkOf {
  readonly context: RunContext
  readonly limits: SliceLimits
  /** True if the step may be part of a chunk. */
  readonly takes: (step: RunStep) => boolean
  readonly execute: (committer: Committer<ChunkAbandoned>, step: RunStep) => Committed<Next, ChunkAbandoned>
}

/** Commits nothing itself: defers the output of each step to the end of the chunk. */
const chunkedCommitter = ({ beside, changeRecords }: RunCommits): Committer<ChunkAbandoned> => {
  const keep = Effect.fnUntraced(function* (context: RunContext, change: Change) {
    const commit = commitOf(context, change)
    if (change.gathered !== undefined) yield* beside(context, change.gathered, change.cursor)
    defer(context, commit)
  })
  return {
    act: ({ act, context, record }) => {
      const acted = Effect.flatMap(act, (change) => keep(context, change))
      return record === null ? acted : Effect.andThen(changeRecords([record]), acted)
    },
    leave: (context, change) => Effect.flatMap(change, (one) => keep(context, one)),
    save: (context, change) => Effect.catchTag(keep(context, change), "StepFailed", Effect.die),
    // A failure abandons the chunk: the steps before it in the same transaction have to be committed without it.
    fail: (_step, cause) => Effect.fail(new ChunkAbandoned({ cause }))
  }
}

export const makeChunkedSteps = Effect.fnUntraced(function* (commits: RunCommits, { overLimit }: RunLimits) {
  const sql = yield* Sql
  const chunkSlots = yield* Semaphore.make(AT_ONCE)
  const millis = Clock.currentTimeMillis
  const bounded = sql`SELECT set_config('lock_timeout', ${String(LOCK_MILLIS)}, true),
    set_config('idle_in_transaction_session_timeout', ${String(IDLE_MILLIS)}, true)`

  /** Creates the chunk executor of one segment; `slow`, `singleSteps` and `penalty` live as long as the segment. */
  return ({ context, execute, limits, takes }: ChunkOf) => {
    const slow = new Map<string, number>()
    let singleSteps = 0
    let penalty = 1

    const steps = Effect.fnUntraced(function* (from: Cursor, count: () => void) {
      const committer = chunkedCommitter(commits)
      const chunkStartedAt = yield* millis
      yield* bounded
      let cursor: Cursor | null = from
      while (cursor !== null) {
        const node: PlanNode | undefined = context.revision.plan.nodes.get(cursor.path)
        if (
          node === undefined ||
          slow.has(node.path) ||
          !takes({ context, node, cursor }) ||
          overLimit(context, costs(node.action.type)) !== null
        )
          break
        const stepStartedAt: number = yield* millis
        if (
          stepStartedAt - chunkStartedAt > CHUNK_MILLIS ||
          (context.deferredCommits.length > 0 && (yield* limits.stop))
        )
          break
        count()
        const next: Next = yield* execute(committer, { context, node, cursor })
        if (isEnding(next)) return yield* new ChunkAbandoned({ cause: next })
        cursor = next
        if ((yield* millis) - stepStartedAt > SLOW_MILLIS) slow.set(node.path, SLOW_TURNS)
      }
      if (context.deferredCommits.length > 0) yield* commits.commit([{ context, change: null }])
      return cursor
    })

    /** Commits a chunk of steps. Returns the cursor after the last of them, or undefined if the next step has to run alone. */
    return Effect.fnUntraced(function* (node: PlanNode, from: Cursor) {
      if (singleSteps > 0) {
        singleSteps--
        return undefined
      }
      const turnsLeft = slow.get(node.path)
      if (turnsLeft !== undefined) {
        if (turnsLeft > 1) slow.set(node.path, turnsLeft - 1)
        else slow.delete(node.path)
        return undefined
      }
      const attempt = Effect.gen(function* () {
        yield* context.load
        const restoreValues = context.snapshot()
        let count = 0
        const exit = yield* sql
          .withTransaction(withMoment(steps(from, () => count++)))
          .pipe(Effect.timeout(PATIENCE), Effect.exit)
        if (Exit.isSuccess(exit)) {
          penalty = 1
          return exit.value
        }
        restoreValues()
        penalty = Math.min(ALONE_AT_MOST, penalty * 2)
        singleSteps = Math.max(count, penalty) - 1
        yield* Effect.logDebug("steps are taken one by one", exit.cause)
        return undefined
      })
      const tried = yield* chunkSlots.withPermitsIfAvailable(1)(attempt)
      return tried._tag === "Some" ? tried.value : undefined
    })
  }
})
