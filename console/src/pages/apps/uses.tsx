// Describes the uses of a field or an app.
import type { AnswerOf } from "@millrace/client"
import { Link } from "@tanstack/react-router"

/** "1 view", "3 views". */
export const counted = (count: number, one: string) => `${count.toLocaleString()} ${one}${count === 1 ? "" : "s"}`

interface AutomationUsesProps {
  readonly automations: AnswerOf<"usage.ofField">["automations"]
  /** Number of automations in apps that the reader does not administer. */
  readonly others: number
  /** What becomes of them. */
  readonly outcome?: string
}
export const AutomationUses = ({ automations, others, outcome = "would break, and stop:" }: AutomationUsesProps) => {
  if (automations.length + others === 0) return <p>No automation uses it.</p>
  return (
    <div className="note warn">
      <p>
        {counted(automations.length + others, "automation")} {outcome}
      </p>
      <ul>
        {automations.map(({ app_name, automation_id, name }) => (
          <li key={automation_id}>
            <Link to="/automations/$automationId" params={{ automationId: String(automation_id) }}>
              {name}
            </Link>{" "}
            of {app_name}
          </li>
        ))}
        {others > 0 && <li>{counted(others, "automation")} of apps that you do not administer</li>}
      </ul>
    </div>
  )
}
