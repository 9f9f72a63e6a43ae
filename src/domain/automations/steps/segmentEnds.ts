// Reasons for which the execution of a run stops, and the outside steps that it may execute itself (design: automations as durable
// executions).
import type { Effect } from "effect"
import type { Committer } from "../commit/Committer.ts"
import type { Cursor, PlanNode } from "../model/Plan.ts"
import type { RunStep } from "../run/RunContext.ts"
import type { Ending } from "../run/RunRow.ts"
import type { ReadyRun } from "../run/runCalls.ts"
import type { Pause } from "./retryPause.ts"

/** Reason for which the executor stops. */
export type SegmentEnd =
  | { readonly type: "done"; readonly ending: Ending }
  | { readonly type: "wait"; readonly until: Date }
  | { readonly type: "outside"; readonly node: PlanNode; readonly cursor: Cursor }
  /** The run waits until called runs have ended; `ready`: those of them that are to be started. `why`: text for operators. */
  | { readonly type: "called"; readonly ready: ReadonlyArray<ReadyRun>; readonly why: string }
  /** The slice is used up: continue at once. */
  | { readonly type: "more" }
/** End of an outside step's execution; `retry`: the attempt has failed, and the next one follows after the pause. */
export type OutsideStop = SegmentEnd | { readonly type: "retry"; readonly pause: Pause }
/** @property failure reason for which a step has failed for good; the run may continue nevertheless */
export type OutsideEnd = OutsideStop & { readonly failure?: string }

/** Returns true if a following outside step is executed in the same activity. */
export type Along = (step: RunStep) => Effect.Effect<boolean>

/** Execution of outside steps by this executor, each with its `started` mark and its result. */
export interface Here {
  readonly committer: Committer
  /** Undefined: the executor executes only the step at the cursor, and nothing after it. */
  readonly along?: Along
}
