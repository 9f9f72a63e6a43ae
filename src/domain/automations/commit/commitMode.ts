// Which steps share a transaction, and with what (docs/architecture.md, "How runs share transactions"). Decided here alone.
import { after, type Cursor, type PlanNode } from "../model/Plan.ts"
import type { StepRuntime } from "../model/Step.ts"
import { answers, isPlain, type RunContext } from "../run/RunContext.ts"

/**
 * `alone`: a transaction, or a statement, of its own. `grouped`: with steps of other plain runs that are ready at about the same
 * time. `chunked`: with the steps of the same durable run that follow.
 */
export type CommitMode = "alone" | "grouped" | "chunked"

/** @param kind how the step's type runs; undefined: the executor decides the step itself, or there is none any more */
export const commitMode = (
  context: RunContext,
  node: PlanNode | null,
  cursor: Cursor | null,
  kind: StepRuntime["kind"] | undefined
): CommitMode => {
  // What acts for as long as it likes inside its transaction would hold up the others.
  if (isPlain(context)) return kind === undefined || kind === "prepared" ? "grouped" : "alone"
  if (node === null || cursor === null || kind === "each") return "alone"
  switch (node.kind) {
    case "branch":
      return "chunked"
    case "loop":
      // The start of a loop reads as much as there is.
      return cursor.turn === undefined ? "alone" : "chunked"
    case "database":
      // The end of a run is never in a chunk.
      return after(node, cursor.iteration) !== null || answers(context) ? "chunked" : "alone"
    default:
      return "alone"
  }
}
