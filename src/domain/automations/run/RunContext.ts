// One run in the hands of whoever executes it: where it stands, what its references resolve against, what its steps have published.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { PlanNode } from "../model/Plan.ts"
import type { LoopFrame, RecordState, RunScope } from "../model/RunScope.ts"
import type { Step } from "../model/Step.ts"
import type { Revision } from "./AutomationRevisions.ts"
import type { InboxRow } from "./commitStatement.ts"
import type { Gathered } from "./Gathered.ts"
import type { LoadedRun, RunRow, StoredOutput } from "./RunRow.ts"
import type { VariableRow } from "./runData.ts"

export interface RunContext {
  /** As of the last commit; as of the last step of a chunk that is not committed yet. */
  run: RunRow
  /** What branches and turns of loops took since: they leave nothing by themselves, so the next commit counts it. */
  passedMs: number
  readonly loaded: LoadedRun
  readonly revision: Revision
  /** The mailbox row that goes with the end of a plain run. */
  readonly inboxRow: InboxRow | null
  /** @param current the record as it was, where the scope is not about the record as it is */
  readonly scope: (now: Date, loops: ReadonlyArray<LoopFrame>, current?: RecordState | null) => RunScope
  readonly step: (
    node: PlanNode,
    iteration: ReadonlyArray<number>,
    options: { readonly now: Date; readonly loops: ReadonlyArray<LoopFrame>; readonly attempt: number }
  ) => { readonly step: Step; readonly gathered: Gathered }
  /** The loops around a node, in an iteration. */
  readonly loops: (
    node: PlanNode,
    iteration: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<LoopFrame>, SqlError>
  /** A loop's items and how many there are, as it began. */
  readonly loop: (path: string, outer: ReadonlyArray<number>) => Effect.Effect<LoopResult, SqlError>
  /** Has at hand what the log must not show of secrets that the definition names. */
  readonly hidden: Effect.Effect<void>
  /** Has what earlier steps have published at hand. */
  readonly load: Effect.Effect<void, SqlError>
  /** Answers how to take back what is absorbed from now on. */
  readonly snapshot: () => () => void
  /** After the commit: later steps see what this one has published. */
  readonly absorb: (published: {
    readonly variables: ReadonlyArray<VariableRow>
    readonly outputs: ReadonlyArray<StoredOutput>
  }) => void
}

/** A loop's ledger result. */
export interface LoopResult {
  readonly type: "records" | "values"
  readonly app_id?: number
  readonly size: number
}

/** An actor executes it at once, with its mailbox row; any other has a workflow of its own. */
export const isPlain = ({ inboxRow }: RunContext): boolean => inboxRow !== null

/** Whether somebody waits for what the end of the run composes: a sync webhook (7.9). */
export const answers = ({ revision }: RunContext): boolean => {
  const { trigger } = revision.definition
  return trigger?.type === "webhook_received" && trigger.config.response_mode === "sync"
}

/** A step is over that leaves nothing to commit. */
export const passed = (context: RunContext, startedAt: number): Effect.Effect<void> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    context.passedMs += now - startedAt
  })
