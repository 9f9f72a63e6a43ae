// How steps are committed, whatever the mode (commitMode.ts): what a step leaves goes in under its run's fence, together with what
// it has done, or not at all (decisions A1).
import type { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Cursor, PlanNode } from "../model/Plan.ts"
import type { StepFailed, StepRecordChange } from "../model/Step.ts"
import type { Gathered } from "../run/Gathered.ts"
import type { RunContext } from "../run/RunContext.ts"
import type { Commit, Ending, LedgerEntry, RunTaken } from "../run/RunRow.ts"
import type { VariableRow } from "../run/runData.ts"

export type Committed<A, E = never> = Effect.Effect<A, RunTaken | SqlError | E>

/** What a step leaves. */
export type Change = Partial<Omit<Commit, "cursor" | "ledger">> & {
  readonly cursor: Cursor | null
  readonly ledger?: LedgerEntry
  readonly gathered?: Gathered
}

/** A step that is ready to be done and committed. */
export interface Ready {
  readonly context: RunContext
  /** Goes in first. */
  readonly record: StepRecordChange | null
  /** Acts inside the transaction and answers what it leaves; begun anew when the transaction is repeated. */
  readonly act: Effect.Effect<Change, StepFailed | SqlError>
}

/** What is said of a step that has failed. */
export interface FailureFacts {
  /** What is not counted yet. */
  readonly startedAt: number
  /** Where the step has taken longer than that. */
  readonly tookMs?: number
  readonly attempt: number
  readonly credits: number
  /** Declarations of the step that its definition does not say: null, as those that it does (A16). */
  readonly declared?: ReadonlyArray<Omit<VariableRow, "value">>
}

/** `E`: why all that is not committed yet is taken back, where a mode does so. */
export interface Committer<E = never> {
  /** A step that acts, in one transaction with what it leaves. */
  readonly act: (ready: Ready) => Effect.Effect<void, StepFailed | RunTaken | SqlError | E>
  /** What a step leaves that has nothing to do inside of a transaction any more. */
  readonly leave: (
    context: RunContext,
    left: Effect.Effect<Change, StepFailed | SqlError>
  ) => Effect.Effect<void, StepFailed | RunTaken | SqlError | E>
  /** A commit with nothing beside it. */
  readonly save: (context: RunContext, change: Change) => Committed<void, E>
  /** Commits a step's failure: the run goes on where the step says so, else it ends. */
  readonly fail: (
    context: RunContext,
    node: PlanNode,
    cursor: Cursor,
    error: StepFailed,
    gathered: Gathered,
    facts: FailureFacts
  ) => Committed<Cursor | Ending | null, E>
}
