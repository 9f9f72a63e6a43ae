// The commit of steps: what a step leaves goes in under its run's fence, beside what it tells others (decisions A1).
// What plain runs leave without acting (a failure, an exit, an end) is committed together with that of others.
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { inTransaction } from "../../../ground/sql/transact.ts"
import { fireEvent } from "../model/fireCommand.ts"
import type { Cursor } from "../model/Plan.ts"
import { Credits } from "../run/Credits.ts"
import type { Gathered, RunContext } from "../run/RunContext.ts"
import { type Commit, type LedgerEntry, type RunRow, RunTaken } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { lastOf } from "../run/stepEntries.ts"
import { patiently } from "../run/stepGuard.ts"
import { makeLine } from "./groupCommit.ts"

export type Executed<A> = Effect.Effect<A, RunTaken | SqlError>

/** What a step leaves. */
export type Change = Partial<Omit<Commit, "cursor" | "ledger">> & {
  readonly cursor: Cursor | null
  readonly ledger?: LedgerEntry
  readonly gathered?: Gathered
}

/** What one step of one run leaves. */
export interface Left {
  readonly context: RunContext
  readonly change: Change
}

export interface Commits {
  readonly commit: (context: RunContext, change: Change) => Executed<void>
  /** In a transaction, steps of different runs; fails when one of the runs has another executor. */
  readonly commitAll: (all: ReadonlyArray<Left>) => Executed<void>
  /** A commit with nothing beside it: one statement where what it gathered allows that; again while Postgres is away. */
  readonly save: Commits["commit"]
  /** Runs and commits in one transaction, again while Postgres is away. */
  readonly transaction: <A, E>(effect: Effect.Effect<A, E | SqlError>) => Effect.Effect<A, E | SqlError>
}

export const makeCommits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* RunStore
  const outbox = yield* Outbox
  const credits = yield* Credits
  const millis = Clock.currentTimeMillis

  const transaction: Commits["transaction"] = (effect) =>
    Effect.flatMap(inTransaction(sql), (open) => (open ? effect : patiently(sql.withTransaction(effect))))

  const fullOf = ({ run }: RunContext, { gathered, ledger, ...rest }: Change): Commit => ({
    ledger: ledger === undefined ? [] : [ledger],
    logs: [],
    credits: 0,
    executedMs: 0,
    mostRecentError: run.most_recent_error,
    waitUntil: null,
    ending: null,
    lazy: null,
    ...rest,
    variables: lastOf(gathered?.variables ?? [], (row) => `${row.custom_type} ${row.label}`),
    outputs: lastOf(gathered?.outputs ?? [], (row) => `${row.type} ${row.app_id}`)
  })

  /** What goes in beside the rows of the run. */
  const beside = Effect.fnUntraced(function* ({ run }: RunContext, { calls, pages, redirect }: Gathered) {
    for (const page of pages) yield* store.page(run.run_id, page)
    if (redirect !== null) yield* store.redirect(run.run_id, redirect)
    if (calls.length === 0 || run.type === "simulation") return
    const { automation_id, run_id } = run
    const cause = {
      automation_id,
      run_id,
      root_run_id: run.root_run_id ?? run_id,
      chain: [...run.chain, automation_id]
    }
    yield* outbox.append(
      calls.map((call) =>
        fireEvent(
          {
            automation_id: call.automation_id,
            run_type: "regular",
            expects: "automation_called",
            triggered_by_automation_id: automation_id,
            ...(call.linked ? { linked: true } : {}),
            data: {
              arguments: call.arguments,
              ...(call.triggering_record_id === null ? {} : { triggering_record_id: call.triggering_record_id })
            }
          },
          { org_id: run.org_id, app_id: run.app_id, record_id: call.record_id, depth: run.depth, cause }
        )
      )
    )
  })

  const stepped = (run: RunRow, commit: Commit): RunRow => ({
    ...run,
    cursor: commit.cursor,
    log_seq: run.log_seq + commit.logs.length,
    credits: run.credits + commit.credits,
    executed_ms: run.executed_ms + commit.executedMs,
    most_recent_error: commit.mostRecentError,
    wait_until: commit.waitUntil,
    status: commit.ending?.status ?? "running"
  })

  const commitAll: Commits["commitAll"] = Effect.fnUntraced(function* (all) {
    const full = all.map(({ change, context }) => fullOf(context, change))
    const written = yield* store.commit(
      all.map(({ context: { inboxRow, run } }, index) => ({ run, commit: full[index]!, inboxRow }))
    )
    const now = yield* millis
    for (const [index, { change, context }] of all.entries()) {
      const { run } = context
      const cancel = written.get(run.run_id)
      if (cancel === undefined) return yield* new RunTaken({ runId: run.run_id })
      const commit = full[index]!
      if (change.gathered !== undefined) yield* beside(context, change.gathered)
      const next = {
        ...stepped(run, commit),
        cancel_requested_on: cancel ? (run.cancel_requested_on ?? new Date(now)) : null
      }
      // Only once the transaction is in: a repeat starts from what was committed.
      yield* sql.afterCommit(
        Effect.suspend(() => {
          context.run = next
          if (change.gathered !== undefined) context.absorb(commit)
          return credits.spend(run.org_id, commit.credits)
        })
      )
    }
  })

  const commit: Commits["commit"] = Effect.fnUntraced(function* (context, change) {
    const { open, run } = context
    if (open === null) return yield* commitAll([{ context, change }])
    const full = fullOf(context, change)
    if (change.gathered !== undefined) yield* beside(context, change.gathered)
    open.push(full)
    context.run = stepped(run, full)
    context.absorb(full)
  })

  const line = yield* makeLine((all: ReadonlyArray<Left>) => commitAll(all))

  const save: Commits["save"] = Effect.fnUntraced(function* (context, change) {
    const { calls = [], pages = [], redirect = null } = change.gathered ?? {}
    // A run that fails may have its owner told: that goes in with it.
    const more = calls.length > 0 || pages.length > 0 || redirect !== null || change.ending?.status === "failed"
    const plain = context.inboxRow !== null && !(yield* inTransaction(sql))
    if (plain && (yield* line({ context, change }))) return
    return yield* more || context.open !== null
      ? transaction(commit(context, change))
      : patiently(commit(context, change))
  })

  return { commit, commitAll, save, transaction } satisfies Commits as Commits
})
