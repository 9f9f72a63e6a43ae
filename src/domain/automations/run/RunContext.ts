// State of one run in its executor: its position, the scope for its references, and the values that its steps have published.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { TriggerConfig } from "../model/Definition.ts"
import type { Cursor, PlanNode } from "../model/Plan.ts"
import type { LoopFrame, RecordState, RunScope } from "../model/RunScope.ts"
import type { Step } from "../model/Step.ts"
import type { InboxRow } from "./commitStatement.ts"
import type { Revision } from "./RevisionCache.ts"
import type { Commit, LoadedRun, RunRow, StoredOutput } from "./RunRow.ts"
import type { RunStore } from "./RunStore.ts"
import type { VariableRow } from "./runData.ts"
import type { StepOutput } from "./StepOutput.ts"

export interface RunContext {
  /** Row as of the last step. */
  run: RunRow
  /** Row as of the last commit. */
  storedRun: RunRow
  /** Output of the steps between the two, which the run's next commit writes (commit/deferredCommits.ts). */
  deferredCommits: ReadonlyArray<Commit>
  /** True once the run has answered its caller; null: only the store knows. */
  hasAnswer: boolean | null
  /** Milliseconds of branches and loop iterations since the last commit: they commit nothing themselves, so the next commit counts them. */
  passedMs: number
  readonly loaded: LoadedRun
  readonly revision: Revision
  /** Mailbox row that the end of a plain run deletes. */
  readonly inboxRow: InboxRow | null
  /** @param current the record's former state, if the scope is not about its present one */
  readonly scope: (now: Date, loops: ReadonlyArray<LoopFrame>, current?: RecordState | null) => RunScope
  /** Begins an attempt of a step. Loads the secrets that the definition names, so that the log can hide them. */
  readonly begin: (
    node: PlanNode,
    iteration: ReadonlyArray<number>,
    startedAt: number,
    attempt?: number
  ) => Effect.Effect<{ readonly step: Step; readonly gathered: StepOutput }, SqlError>
  /** Returns the frames of the loops around a node in an iteration. */
  readonly loops: (
    node: PlanNode,
    iteration: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<LoopFrame>, SqlError>
  /** Returns the result with which a loop began: the kind of its items and their number. */
  readonly loop: (path: string, outer: ReadonlyArray<number>) => Effect.Effect<LoopResult, SqlError>
  /** Loads the values that earlier steps have published. */
  readonly load: Effect.Effect<void, SqlError>
  /** Returns a function that reverts everything absorbed from now on. */
  readonly snapshot: () => () => void
  /** Makes published values visible to later steps; call it after the commit. */
  readonly absorb: (published: {
    readonly variables: ReadonlyArray<VariableRow>
    readonly outputs: ReadonlyArray<StoredOutput>
  }) => void
}

/** Step at which a run stands. */
export interface RunStep {
  readonly context: RunContext
  readonly node: PlanNode
  readonly cursor: Cursor
}

/** Result of a loop in the ledger. */
export interface LoopResult {
  readonly type: "records" | "values"
  readonly app_id?: number
  readonly size: number
}

/** True if an actor executes the run, together with its mailbox row. Every other run has a workflow of its own. */
export const isPlain = ({ inboxRow }: RunContext): boolean => inboxRow !== null

/** Trigger settings by which the run answers a caller that waits for it: a sync webhook (7.9). Null without one. */
export const answerConfig = ({ revision }: RunContext): TriggerConfig<"webhook_received"> | null => {
  const { trigger } = revision.definition
  return trigger?.type === "webhook_received" && trigger.config.response_mode === "sync" ? trigger.config : null
}
export const answers = (context: RunContext): boolean => answerConfig(context) !== null
export const isAnswered = ({ hasAnswer, run }: RunContext, store: RunStore["Service"]) =>
  hasAnswer === null ? store.isAnswered(run.run_id) : Effect.succeed(hasAnswer)

/** Counts the time of a step that has nothing to commit. */
export const passed = (context: RunContext, startedAt: number): Effect.Effect<void> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    context.passedMs += now - startedAt
  })
