// Interface of the three commit modes (commitMode.ts). A step's output is written under its run's fence, in one transaction with the step's
// effect, or not at all (decisions A1).
import type { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Cursor } from "../model/Plan.ts"
import type { StepFailed, StepRecordChange } from "../model/Step.ts"
import type { RunContext, RunStep } from "../run/RunContext.ts"
import type { Commit, LedgerEntry, Next, RunTaken } from "../run/RunRow.ts"
import type { VariableRow } from "../run/runData.ts"
import type { StepOutput } from "../run/StepOutput.ts"

export type NotCommitted<E = never> = RunTaken | SqlError | E
export type Committed<A, E = never> = Effect.Effect<A, NotCommitted<E>>

/** Output of a step that its commit writes. */
export type Change = Partial<Omit<Commit, "cursor" | "ledger">> & {
  readonly cursor: Cursor | null
  readonly ledger?: LedgerEntry
  readonly gathered?: StepOutput
}

/** Step whose effect and output are ready to be committed. */
export interface Ready {
  readonly context: RunContext
  /** Record change that is written before `act` runs. */
  readonly record: StepRecordChange | null
  /** Effect that runs inside the transaction and returns the step's output; runs again when the transaction is repeated. */
  readonly act: Effect.Effect<Change, StepFailed | SqlError>
}

/** Facts about a failed attempt for its ledger row and log entry. */
interface FailureFacts {
  /** Epoch milliseconds at which the part of the attempt began that no commit has counted as execution time yet. */
  readonly startedAt: number
  /** Duration for the log entry in milliseconds, if it is longer than the time since `startedAt`. */
  readonly tookMs?: number
  readonly attempt?: number
  readonly credits: number
  /** Variables that the step declares apart from its definition. A failure sets them to null like the declared ones (A16). */
  readonly declared?: ReadonlyArray<Omit<VariableRow, "value">>
}

/** `E`: the error with which a mode rolls back everything that is not committed yet. */
export interface Committer<E = never> {
  /** Runs a step's effect and writes its output in one transaction. */
  readonly act: (ready: Ready) => Committed<void, StepFailed | E>
  /** Commits the output of a step that has no effect left to run in the transaction. */
  readonly leave: (
    context: RunContext,
    left: Effect.Effect<Change, StepFailed | SqlError>
  ) => Committed<void, StepFailed | E>
  /** Commits a change that has no effect and no record change. */
  readonly save: (context: RunContext, change: Change) => Committed<void, E>
  /** Commits a step's failure. The run continues if the step has `continue_on_error`, else it ends. */
  readonly fail: (step: RunStep, error: StepFailed, gathered: StepOutput, facts: FailureFacts) => Committed<Next, E>
}
