// Decides which steps share a transaction, and with what (docs/architecture/runs.md, "How runs share transactions"). No other file decides that.
import { after, type Cursor, type PlanNode } from "../model/Plan.ts"
import type { StepRuntime } from "../model/Step.ts"
import { answers, isPlain, type RunContext } from "../run/RunContext.ts"

/**
 * Mode in which a step is committed:
 * - `alone`: a transaction, or a statement, of its own.
 * - `grouped`: with steps of other plain runs that are ready at about the same time.
 * - `chunked`: with the following steps of the same durable run.
 */
export type CommitMode = "alone" | "grouped" | "chunked"

/** @param kind how the step's type runs; undefined: the executor decides the step itself, or no step is left */
export const commitMode = (
  context: RunContext,
  node: PlanNode | null,
  cursor: Cursor | null,
  kind: StepRuntime["kind"] | undefined
): CommitMode => {
  // A step that is not `prepared` may act for any length of time inside its transaction and would delay the others of its group.
  if (isPlain(context)) return kind === undefined || kind === "prepared" ? "grouped" : "alone"
  if (node === null || cursor === null || kind === "each") return "alone"
  switch (node.kind) {
    case "branch":
      return "chunked"
    case "loop":
      // The start of a loop reads the whole collection, however large.
      return cursor.turn === undefined ? "alone" : "chunked"
    case "database":
      // The end of a run is never part of a chunk.
      return after(node, cursor.iteration) !== null || answers(context) ? "chunked" : "alone"
    default:
      return "alone"
  }
}
