// Which app: by workspace, as people know them.
import type { AnswerOf } from "@millrace/client"
import { useId } from "react"
import { appChoice as texts } from "../../texts/hooks/hooks.ts"
import { ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"

interface AppChoiceProps {
  readonly apps: AnswerOf<"apps.list">["apps"]
  readonly chosen: number | undefined
  readonly onChoose: (appId: number) => void
}
export const AppChoice = ({ apps, chosen, onChoose }: AppChoiceProps) => {
  const id = useId()
  const sortedApps = apps.toSorted((one, other) => one.workspace_name.localeCompare(other.workspace_name))
  return (
    <div className="field choice">
      <label htmlFor={id}>{texts.app}</label>
      <ChoiceOfMany
        id={id}
        value={chosen}
        required
        choices={sortedApps.map(({ app_id, name, workspace_name }) => [app_id, name, workspace_name])}
        onChange={(appId) => appId !== undefined && onChoose(appId)}
      />
    </div>
  )
}
