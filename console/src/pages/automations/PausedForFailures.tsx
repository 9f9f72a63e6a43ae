// Reason why an automation was paused for failures in a row, and what starts it again: on its page and above the editor of its steps.
import type { AnswerOf } from "@millrace/client"
import { Link } from "@tanstack/react-router"
import { pausedForFailures as texts } from "../../texts/automations/automations.ts"

type Automation = AnswerOf<"automations.get">["automation"]

export const PausedForFailures = ({ automation }: { readonly automation: Automation }) => {
  const { paused_reason } = automation
  if (paused_reason === undefined) return null
  return (
    <div className="note bad">
      <p>
        {texts.itWasPaused(
          paused_reason.message,
          <Link to="/runs/$runId" params={{ runId: paused_reason.run_id }} search={{}}>
            {texts.lastFailedRun}
          </Link>
        )}
      </p>
      <p>{texts.fixItsStepsAndSave}</p>
    </div>
  )
}
