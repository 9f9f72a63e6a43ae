// What every kind of step shares: the commit of a step, its failure, the limits of a run (decisions A1, A16; developer-api.md 7.11
// run semantics 3, 5 and 6).
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { AppConfig } from "../../../ground/config/Config.ts"
import { actionSpec } from "../actions/registry.ts"
import { after, type Cursor, type PlanNode } from "../model/Plan.ts"
import type { StepFailed } from "../model/Step.ts"
import { Credits } from "../run/Credits.ts"
import { logText } from "../run/logText.ts"
import { type Gathered, logOf, newGathered, type RunContext } from "../run/RunContext.ts"
import type { Ending } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { ledgerOf } from "../run/stepEntries.ts"
import { guarded } from "../run/stepGuard.ts"
import { type Commits, type Executed, makeCommits } from "./Commits.ts"

export type { Change, Executed } from "./Commits.ts"

/** What executor, loops and steps over collections share. */
export interface Core extends Commits {
  readonly sql: SqlClient.SqlClient
  readonly store: RunStore["Service"]
  /** Makes of everything but our own errors a `StepFailed`. */
  readonly guarded: <A>(effect: Effect.Effect<A, StepFailed | SqlError>) => Effect.Effect<A, StepFailed | SqlError>
  /** Commits a step's failure: the run goes on where the step says so, else it ends. */
  readonly fail: (
    context: RunContext,
    node: PlanNode,
    cursor: Cursor,
    error: StepFailed,
    gathered: Gathered,
    facts: {
      /** What is not counted yet. */
      readonly startedAt: number
      /** Where the step has taken longer than that. */
      readonly tookMs?: number
      readonly attempt: number
      readonly credits: number
    }
  ) => Executed<Cursor | Ending | null>
  /**
   * How a run ends that has used up its time, with what a step has just taken, or, before a step that costs one, its actions
   * (7.11 rules 5 and 6).
   */
  readonly overLimit: (context: RunContext, costs?: boolean, tookMs?: number) => Ending | null
  /** Counts actions of the organization's hour. */
  readonly spend: Credits["Service"]["spend"]
  /** What the run may still spend. */
  readonly creditsLeft: (context: RunContext) => number
}

export const isEnding = (next: Cursor | Ending | null): next is Ending => next !== null && "status" in next

export const makeCore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* RunStore
  const credits = yield* Credits
  const commits = yield* makeCommits
  const { save } = commits
  const { runActionsMax, runMinutesMax } = yield* AppConfig
  const millis = Clock.currentTimeMillis

  const fail: Core["fail"] = Effect.fnUntraced(function* (context, node, cursor, error, gathered, facts) {
    // What came before it in the same transaction has to be committed without it.
    if (context.open !== null) return yield* Effect.die(error)
    const took = (yield* millis) - facts.startedAt
    const goesOn = node.action.continue_on_error === true
    const next = goesOn ? after(node, cursor.iteration) : cursor
    // Everybody who may see the run reads it, the workflow's history holds it.
    const cause = logText(error.message, gathered.secrets)
    const ending: Ending | null = goesOn
      ? null
      : { status: "failed", failure_reason: error.reason ?? "actions_failed", error_message: cause }
    gathered.messages.push({ message: error.message, level: "error" })
    const recordId = context.run.record_id
    // A declaration is set anew in every iteration: what a failed step declares is null (A16).
    const declared = actionSpec(node.action.type).declares?.(node.action.config) ?? []
    const nulls = { ...newGathered(), variables: declared.map((def) => ({ ...def, value: null })) }
    yield* save(context, {
      cursor: next,
      ledger: ledgerOf(node, cursor, "failed", facts.attempt, null),
      logs: [logOf(node, "failure", gathered, { recordId, millis: facts.tookMs ?? took, attempt: facts.attempt })],
      executedMs: took,
      credits: facts.credits,
      mostRecentError: cause,
      ending,
      gathered: nulls
    })
    return ending ?? next
  })

  const overLimit: Core["overLimit"] = ({ run }, costs = true, tookMs = 0) => {
    if (run.executed_ms + tookMs > runMinutesMax * 60_000) {
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
    ...commits,
    sql,
    store,
    guarded,
    fail,
    overLimit,
    spend: credits.spend,
    creditsLeft
  } satisfies Core as Core
})
