// Why the execution of a run stops, and which outside steps are executed where the run is (design: automations as durable executions).
import type { Effect } from "effect"
import type { Committer } from "../commit/Committer.ts"
import type { Cursor, PlanNode } from "../model/Plan.ts"
import type { Ending } from "../run/RunRow.ts"
import type { ReadyRun } from "../run/runCalls.ts"
import type { Pause } from "./retryPause.ts"

/** Why the executor stops. */
export type SegmentEnd =
  | { readonly type: "done"; readonly ending: Ending }
  | { readonly type: "wait"; readonly until: Date }
  | { readonly type: "outside"; readonly node: PlanNode; readonly cursor: Cursor }
  /** Until runs are over that it has called; `ready`: those of them that are to be started. `why`: for operators. */
  | { readonly type: "called"; readonly ready: ReadonlyArray<ReadyRun>; readonly why: string }
  /** The slice is used up: go on at once. */
  | { readonly type: "more" }
/** The attempt of an outside step has failed; the next is made after the pause. */
export type OutsideStop = SegmentEnd | { readonly type: "retry"; readonly pause: Pause }
/** @property failure why a step has failed for good; the run may go on all the same */
export type OutsideEnd = OutsideStop & { readonly failure?: string }

/** Whether an outside step that comes behind is taken along. */
export type Along = (node: PlanNode, cursor: Cursor) => Effect.Effect<boolean>

/** Outside steps that are executed where the run is, each with its `started` mark and its result. */
export interface Here {
  readonly committer: Committer
  /** Undefined: only the one at the cursor is executed, and nothing behind it. */
  readonly along?: Along
}
