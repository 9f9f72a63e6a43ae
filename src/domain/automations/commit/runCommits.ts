// Writes the rows of a commit: the output of steps of different runs goes into one statement, under each run's fence, together with events
// and page changes (decisions A1). The commit modes call it.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { currentTraceparent } from "../../../platform/telemetry/traceContext.ts"
import { RecordWriter } from "../../records/writing/RecordWriter.ts"
import { callEvent } from "../model/fireCommand.ts"
import { type Cursor, iterationKey } from "../model/Plan.ts"
import { isDry } from "../model/RunScope.ts"
import { StepFailed, type StepRecordChange } from "../model/Step.ts"
import { Credits } from "../run/Credits.ts"
import { makeCancelCalledRuns } from "../run/cancelRuns.ts"
import { makeFailureStreaks } from "../run/failureStreaks.ts"
import type { RunContext } from "../run/RunContext.ts"
import { type Commit, causeOf, RunTaken } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { awaitsResults, makeRunCalls } from "../run/runCalls.ts"
import { labelOf } from "../run/runEntries.ts"
import { countCommit } from "../run/runMetrics.ts"
import type { StepOutput } from "../run/StepOutput.ts"
import { guarded, patiently } from "../run/stepGuard.ts"
import type { Change, NotCommitted } from "./Committer.ts"
import { dueCommit, settle, stepped } from "./deferredCommits.ts"

/** Change that one step of one run commits; null: only what its earlier steps have deferred. */
export interface Left {
  readonly context: RunContext
  readonly change: Change | null
}

/** Completes a change with the defaults of everything that its step leaves out. */
export const commitOf = (
  { passedMs, run }: RunContext,
  { executedMs = 0, gathered, ledger, ...rest }: Change
): Commit => ({
  ledger: ledger === undefined ? [] : [ledger],
  logs: [],
  credits: 0,
  executedMs: executedMs + passedMs,
  mostRecentError: run.most_recent_error,
  waits: null,
  answer: gathered?.answer ?? null,
  ending: null,
  lazy: null,
  ...rest,
  variables: gathered?.variables ?? [],
  outputs: gathered?.outputs ?? []
})

export const makeRunCommits = Effect.gen(function* () {
  const sql = yield* Sql
  const store = yield* RunStore
  const outbox = yield* Outbox
  const credits = yield* Credits
  const writer = yield* RecordWriter
  const failing = yield* makeFailureStreaks
  const runCalls = makeRunCalls(sql)
  const endCalled = makeCancelCalledRuns(sql, outbox)

  /**
   * Writes what a step leaves outside of the run's own rows: calls, pages.
   * @param cursor the run's position after the commit; a call that waits leaves the run at that call
   */
  const saveEffects = Effect.fnUntraced(function* (
    { loaded, run }: RunContext,
    gathered: StepOutput,
    cursor: Cursor | null
  ): Effect.fn.Return<void, StepFailed | SqlError> {
    const { calls, pages, redirect } = gathered
    yield* store.pages(run.run_id, pages)
    if (redirect !== null) yield* store.redirect(run.run_id, redirect)
    if (calls.length === 0 || isDry(run.type, loaded.trigger)) return
    const { app_id, automation_id, org_id, run_id } = run
    // A call that waits leaves the run at its step.
    const callPlace = { run_id, path: cursor?.path ?? "", iteration: iterationKey(cursor?.iteration ?? []) }
    const awaited = calls.filter((call) => call.awaited).map(({ record_id }) => record_id)
    if (awaited.length > 0) yield* runCalls.begin(callPlace, awaited)
    const traceparent = (yield* currentTraceparent) ?? run.traceparent
    yield* outbox.append(
      calls.map((call) => ({
        traceparent,
        ...callEvent(run, causeOf(run), {
          automation_id: call.automation_id,
          ...(call.linked ? { linked: true } : {}),
          ...(call.awaited
            ? { awaited: { ...callPlace, automation_id, app_id, org_id, record_id: call.record_id } }
            : {}),
          data: { arguments: call.arguments },
          record_id: call.record_id,
          triggering_record_id: call.triggering_record_id
        })
      }))
    )
  })

  /**
   * Commits the changes in the caller's transaction, or as a statement of its own. Fails if another executor has taken over one of the
   * runs.
   */
  const commit = Effect.fnUntraced(function* (
    all: ReadonlyArray<Left>
  ): Effect.fn.Return<void, NotCommitted<StepFailed>> {
    const lastCommits = all.map(({ change, context }) => (change === null ? [] : [commitOf(context, change)]))
    const dueCommits = all.map(({ context }, index) => dueCommit(context, lastCommits[index]!))
    const cancelRequests = yield* store.commit(dueCommits)
    const takenRun = dueCommits.find(({ run }) => !cancelRequests.has(run.run_id))
    if (takenRun !== undefined) return yield* new RunTaken({ runId: takenRun.run.run_id })
    yield* failing.begin(
      all.flatMap(({ change, context: { revision, run } }) => {
        if (change?.ending?.status !== "failed") return []
        const node = run.cursor === null ? undefined : revision.plan.nodes.get(run.cursor.path)
        return [{ run_id: run.run_id, label: node === undefined ? null : labelOf(node) }]
      })
    )
    yield* endCalled(
      all.flatMap(({ change, context: { revision, run } }) =>
        (change?.ending?.status ?? "completed") !== "completed" && awaitsResults(revision.plan) ? [run.run_id] : []
      )
    )
    const nowMillis = yield* Clock.currentTimeMillis
    for (const [index, { change, context }] of all.entries()) {
      const { commit, run } = dueCommits[index]!
      if (change?.gathered !== undefined) yield* saveEffects(context, change.gathered, change.cursor)
      const next = {
        ...stepped(run, commit),
        cancel_requested_on: cancelRequests.get(run.run_id)! ? (run.cancel_requested_on ?? new Date(nowMillis)) : null
      }
      // Updates the context only after the transaction has committed: a repeat starts from the committed state.
      yield* sql.afterCommit(
        Effect.suspend(() => {
          countCommit(run, context.revision.plan, commit, nowMillis)
          settle(context, next)
          for (const last of lastCommits[index]!) {
            context.passedMs = 0
            context.absorb(last)
            if (last.answer !== null) context.hasAnswer = true
          }
          return credits.spend(run.org_id, commit.credits)
        })
      )
    }
  })

  /** Writes the record changes in the caller's transaction. */
  const changeRecords = Effect.fnUntraced(function* (records: ReadonlyArray<StepRecordChange>) {
    for (const appId of new Set(records.map(({ app_id }) => app_id))) {
      const recordsOfApp = records.filter(({ app_id }) => app_id === appId)
      yield* guarded(
        Effect.mapError(writer.updateEach(appId, recordsOfApp), ({ message }) => new StepFailed({ message }))
      )
    }
  })

  /** Runs the effect in one transaction and repeats it while Postgres is away. */
  const transaction = <A, E>(effect: Effect.Effect<A, E | SqlError>) => patiently(sql.withTransaction(effect))

  return { beside: saveEffects, changeRecords, commit, transaction }
})
export type RunCommits = Effect.Success<typeof makeRunCommits>
