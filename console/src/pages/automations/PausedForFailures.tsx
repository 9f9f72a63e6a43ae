// Reason why an automation was paused for failures in a row, and what starts it again: on its page and above the editor of its steps.
import type { AnswerOf } from "@millrace/client"
import { Link } from "@tanstack/react-router"

type Automation = AnswerOf<"automations.get">["automation"]

export const PausedForFailures = ({ automation }: { readonly automation: Automation }) => {
  const { paused_reason } = automation
  if (paused_reason === undefined) return null
  return (
    <div className="note bad">
      <p>
        It was paused: {paused_reason.message}{" "}
        <Link to="/runs/$runId" params={{ runId: paused_reason.run_id }} search={{}}>
          Last failed run
        </Link>
      </p>
      <p>Fix its steps and save them, or activate it as it is. Either starts the count again.</p>
    </div>
  )
}
