// Way of a run after a failed step (developer-api.md 7.11 run semantics 3): with `continue_on_error` it continues after the step, else it
// ends.
import { after, type Cursor } from "../model/Plan.ts"
import type { FailureReason } from "../model/StepFailed.ts"
import type { RunStep } from "../run/RunContext.ts"
import type { Ending } from "../run/RunRow.ts"

/** Position and, unless the run continues, ending of a run whose step has failed. */
export const afterFailure = (
  { cursor, node }: RunStep,
  failure: { readonly reason: FailureReason | undefined; readonly message: string }
): { readonly cursor: Cursor | null; readonly ending: Ending | null } =>
  node.action.continue_on_error === true
    ? { cursor: after(node, cursor.iteration), ending: null }
    : {
        cursor,
        ending: { status: "failed", failure_reason: failure.reason ?? "actions_failed", error_message: failure.message }
      }
