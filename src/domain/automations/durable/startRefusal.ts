// Returns the ending of a run that must not execute any step (developer-api.md 7.2, 7.11; decisions A20), or null.
import type { RunContext } from "../run/RunContext.ts"
import type { Ending } from "../run/RunRow.ts"
import { cancelledFor } from "../run/runEntries.ts"
import { LIFE_RULE, lifetimeEnds } from "../run/runLimits.ts"

const failed = (failure_reason: Ending["failure_reason"], error_message: string): Ending => ({
  status: "failed",
  failure_reason,
  error_message
})

export const startRefusal = ({ loaded: { holder, run }, revision }: RunContext, at: number): Ending | null => {
  if (run.cancel_requested_on !== null || holder.deleted) return cancelledFor(run.cancel_reason)
  if (revision.unreadable !== null) return failed("actions_setup_failed", revision.unreadable)
  if (!holder.author_active) {
    return failed("actions_setup_failed", "The automation's author is no longer an active user.")
  }
  return at > lifetimeEnds(run) ? failed("actions_timeout", `${LIFE_RULE}.`) : null
}
