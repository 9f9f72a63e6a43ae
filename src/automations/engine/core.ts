// What every kind of step shares: transactions, the guard around foreign code, the commit of a step, the failure of a step
// (decisions A1, A16; developer-api.md 7.11 run semantics 3).
import { Cause, Clock, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { AppConfig } from "../../Config.ts"
import { Outbox } from "../../outbox/Outbox.ts"
import { inTransaction } from "../../records/transact.ts"
import { isAway, recoverSqlDefect } from "../../sql/away.ts"
import { actionSpec } from "../actions/registry.ts"
import { after, type Cursor, iterationKey, type PlanNode } from "../plan.ts"
import { fireEvent } from "../triggers/fire.ts"
import { Credits } from "./Credits.ts"
import { type Execution, type Gathered, logOf, newGathered } from "./Execution.ts"
import { type Commit, type Ending, type LedgerEntry, type RunRow, RunTaken } from "./Run.ts"
import { RunStore } from "./RunStore.ts"
import { StepFailed } from "./Step.ts"

export type Executed<A> = Effect.Effect<A, RunTaken | SqlError>

/** What a step leaves. */
export type Change = Partial<Omit<Commit, "cursor" | "ledger">> & {
  readonly cursor: Cursor | null
  readonly ledger?: LedgerEntry
  readonly gathered?: Gathered
}

/** What executor, loops and steps over collections share. */
export interface Core {
  readonly sql: SqlClient.SqlClient
  readonly store: RunStore["Service"]
  readonly commit: (execution: Execution, change: Change) => Executed<void>
  /** In a transaction, steps of different runs. Answers the runs that are written; the others have another executor. */
  readonly commitAll: (
    all: ReadonlyArray<{ readonly execution: Execution; readonly change: Change }>
  ) => Effect.Effect<ReadonlySet<string>, SqlError>
  /** A commit with nothing beside it: one statement where what it gathered allows that; again while Postgres is away. */
  readonly save: Core["commit"]
  /** Runs and commits in one transaction, again while Postgres is away. */
  readonly transaction: <A, E>(effect: Effect.Effect<A, E | SqlError>) => Effect.Effect<A, E | SqlError>
  /** Makes of everything but our own errors a `StepFailed`. */
  readonly guarded: <A>(effect: Effect.Effect<A, StepFailed | SqlError>) => Effect.Effect<A, StepFailed | SqlError>
  /** Commits a step's failure: the run goes on where the step says so, else it ends. */
  readonly fail: (
    execution: Execution,
    node: PlanNode,
    cursor: Cursor,
    error: StepFailed,
    gathered: Gathered,
    facts: { readonly startedAt: number; readonly attempt: number; readonly credits: number }
  ) => Executed<Cursor | Ending | null>
  /** How a run ends that has used up its time or, before a step that costs one, its actions (7.11 rules 5 and 6). */
  readonly overLimit: (execution: Execution, costs?: boolean) => Ending | null
  /** Counts actions of the organization's hour. */
  readonly spend: Credits["Service"]["spend"]
  /** What the run may still spend. */
  readonly creditsLeft: (execution: Execution) => number
}

export const isEnding = (next: Cursor | Ending | null): next is Ending => next !== null && "status" in next

/** Until here a step waits for Postgres by itself; then the executor gives up and is taken over. */
const AWAY_MILLIS = 30_000

export const makeCore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* RunStore
  const outbox = yield* Outbox
  const credits = yield* Credits
  const { runActionsMax, runMinutesMax } = yield* AppConfig
  const millis = Clock.currentTimeMillis

  const patiently = <A, E>(effect: Effect.Effect<A, E | SqlError>): Effect.Effect<A, E | SqlError> =>
    effect.pipe(
      recoverSqlDefect,
      Effect.retry({
        while: isAway,
        schedule: Schedule.upTo(Schedule.jittered(Schedule.spaced("100 millis")), { duration: AWAY_MILLIS })
      })
    ) as never
  const transaction: Core["transaction"] = (effect) =>
    Effect.flatMap(inTransaction(sql), (open) => (open ? effect : patiently(sql.withTransaction(effect))))

  const guarded: Core["guarded"] = (effect) =>
    recoverSqlDefect(effect).pipe(
      Effect.catchCause((cause) => {
        const error = Cause.squash(cause)
        if (Cause.hasInterrupts(cause) || error instanceof StepFailed || (isSqlError(error) && isAway(error))) {
          return Effect.failCause(cause as Cause.Cause<StepFailed | SqlError>)
        }
        const message = isSqlError(error)
          ? "The database refused the step's values."
          : "The step failed unexpectedly; the service's log has the cause."
        return Effect.andThen(Effect.logError("a step failed unexpectedly", cause), new StepFailed({ message }))
      })
    )

  const fullOf = ({ run }: Execution, { gathered, ledger, ...rest }: Change): Commit => ({
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
  const beside = Effect.fnUntraced(function* ({ run }: Execution, { calls, pages, redirect }: Gathered) {
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

  const commitAll: Core["commitAll"] = Effect.fnUntraced(function* (all) {
    const full = all.map(({ change, execution }) => fullOf(execution, change))
    const written = yield* store.commit(
      all.map(({ execution: { inboxRow, run } }, index) => ({ run, commit: full[index]!, inboxRow }))
    )
    const now = yield* millis
    for (const [index, { change, execution }] of all.entries()) {
      const { run } = execution
      const cancel = written.get(run.run_id)
      if (cancel === undefined) continue
      const commit = full[index]!
      if (change.gathered !== undefined) yield* beside(execution, change.gathered)
      const next = {
        ...stepped(run, commit),
        cancel_requested_on: cancel ? (run.cancel_requested_on ?? new Date(now)) : null
      }
      // Only once the transaction is in: a repeat starts from what was committed.
      yield* sql.afterCommit(
        Effect.suspend(() => {
          execution.run = next
          if (change.gathered !== undefined) execution.absorb(commit)
          return credits.spend(run.org_id, commit.credits)
        })
      )
    }
    return new Set(written.keys())
  })

  const commit: Core["commit"] = Effect.fnUntraced(function* (execution, change) {
    const { open, run } = execution
    if (open === null) {
      const written = yield* commitAll([{ execution, change }])
      return written.has(run.run_id) ? undefined : yield* new RunTaken({ runId: run.run_id })
    }
    const full = fullOf(execution, change)
    if (change.gathered !== undefined) yield* beside(execution, change.gathered)
    open.push(full)
    execution.run = stepped(run, full)
    execution.absorb(full)
  })

  const save: Core["save"] = (execution, change) => {
    const { calls = [], pages = [], redirect = null } = change.gathered ?? {}
    // A run that fails may have its owner told: that goes in with it.
    const more = calls.length > 0 || pages.length > 0 || redirect !== null || change.ending?.status === "failed"
    return more || execution.open !== null
      ? transaction(commit(execution, change))
      : patiently(commit(execution, change))
  }

  const fail: Core["fail"] = Effect.fnUntraced(function* (execution, node, cursor, error, gathered, facts) {
    // What came before it in the same transaction has to be committed without it.
    if (execution.open !== null) return yield* Effect.die(error)
    const took = (yield* millis) - facts.startedAt
    const goesOn = node.action.continue_on_error === true
    const next = goesOn ? after(node, cursor.iteration) : cursor
    const ending: Ending | null = goesOn
      ? null
      : { status: "failed", failure_reason: error.reason ?? "actions_failed", error_message: error.message }
    gathered.messages.push({ message: error.message, level: "error" })
    const recordId = execution.run.record_id
    // A declaration is set anew in every iteration: what a failed step declares is null (A16).
    const declared = actionSpec(node.action.type).declares?.(node.action.config) ?? []
    const nulls = { ...newGathered(), variables: declared.map((def) => ({ ...def, value: null })) }
    yield* save(execution, {
      cursor: next,
      ledger: ledgerOf(node, cursor, "failed", facts.attempt, null),
      logs: [logOf(node, "failure", gathered, { recordId, millis: took, attempt: facts.attempt })],
      executedMs: took,
      credits: facts.credits,
      mostRecentError: error.message,
      ending,
      gathered: nulls
    })
    return ending ?? next
  })

  const overLimit: Core["overLimit"] = ({ run }, costs = true) => {
    if (run.executed_ms > runMinutesMax * 60_000) {
      const error_message = `The steps took more than ${runMinutesMax} minutes of execution in all.`
      return { status: "failed", failure_reason: "actions_timeout", error_message }
    }
    if (costs && run.credits >= runActionsMax) {
      const error_message = `The run used up its ${runActionsMax} actions.`
      return { status: "failed", failure_reason: "actions_resource_limit_exceeded", error_message }
    }
    return null
  }
  const creditsLeft: Core["creditsLeft"] = ({ run }) => runActionsMax - run.credits

  return {
    sql,
    store,
    commit,
    commitAll,
    save,
    transaction,
    guarded,
    fail,
    overLimit,
    spend: credits.spend,
    creditsLeft
  } satisfies Core as Core
})

export const ledgerOf = (
  node: PlanNode,
  cursor: Cursor,
  state: LedgerEntry["state"],
  attempts: number,
  result: unknown
): LedgerEntry => ({
  path: node.path,
  iteration: iterationKey(cursor.iteration),
  action_id: node.action.id,
  state,
  attempts,
  result
})

export const exception = (message: string): Commit["logs"][number] => ({
  type: "exception",
  status: "failure",
  label: "Run",
  messages: [{ message, level: "error" }],
  action_id: null,
  record_id: null,
  detail: null
})

/** A step is told in full even when its effect is rolled back; what it published goes with the effect. */
export const onlyLog = (gathered: Gathered): Gathered => ({
  ...gathered,
  variables: [],
  outputs: [],
  calls: [],
  pages: [],
  redirect: null
})

const lists = ({ calls, messages, outputs, pages, variables }: Gathered) =>
  [variables, outputs, calls, pages, messages] as const

/** How much is gathered before a transaction begins. */
export const sizesOf = (gathered: Gathered): ReadonlyArray<number> => lists(gathered).map((list) => list.length)

/** Before a repeat of the transaction. */
export const rewind = (gathered: Gathered, sizes: ReadonlyArray<number>): void => {
  for (const [index, list] of lists(gathered).entries()) list.length = sizes[index]!
  gathered.redirect = null
}

/** The last of each key. */
export const lastOf = <A>(rows: ReadonlyArray<A>, key: (row: A) => string): ReadonlyArray<A> =>
  rows.length < 2 ? rows : [...new Map(rows.map((row) => [key(row), row])).values()]
