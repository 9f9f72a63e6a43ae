// Describes the uses of a field or an app.
import type { AnswerOf } from "@millrace/client"
import { Link } from "@tanstack/react-router"
import { uses as texts } from "../../texts/apps/apps.ts"

interface AutomationUsesProps {
  readonly automations: AnswerOf<"usage.ofField">["automations"]
  /** Number of automations in apps that the reader does not administer. */
  readonly others: number
  /** What becomes of them. */
  readonly outcome?: string
}
export const AutomationUses = ({ automations, others, outcome = texts.wouldBreakAndStop }: AutomationUsesProps) => {
  if (automations.length + others === 0) return <p>{texts.noAutomationUsesIt}</p>
  return (
    <div className="note warn">
      <p>
        {texts.automations(automations.length + others)} {outcome}
      </p>
      <ul>
        {automations.map(({ app_name, automation_id, name }) => (
          <li key={automation_id}>
            {texts.ofAppName(
              <Link to="/automations/$automationId" params={{ automationId: String(automation_id) }}>
                {name}
              </Link>,
              app_name
            )}
          </li>
        ))}
        {others > 0 && <li>{texts.automationsOfApps(others)}</li>}
      </ul>
    </div>
  )
}
