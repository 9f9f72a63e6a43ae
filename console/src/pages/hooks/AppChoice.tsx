// Which app: by workspace, as people know them.
import type { AnswerOf } from "@millrace/client"
import { useId } from "react"
import { FEW } from "../../ui/ChoiceOfMany.tsx"
import { Combobox } from "../../ui/Combobox.tsx"

interface AppChoiceProps {
  readonly apps: AnswerOf<"apps.list">["apps"]
  readonly chosen: number | undefined
  readonly onChoose: (appId: number) => void
}
export const AppChoice = ({ apps, chosen, onChoose }: AppChoiceProps) => {
  const id = useId()
  const workspaces = [...Map.groupBy(apps, ({ workspace_name }) => workspace_name)].sort(([a], [b]) =>
    a.localeCompare(b)
  )
  return (
    <div className="field choice">
      <label htmlFor={id}>App</label>
      {apps.length > FEW ? (
        <Combobox
          id={id}
          value={chosen}
          required
          choices={apps.map((app) => ({ key: app.app_id, text: app.name, detail: app.workspace_name }))}
          onChange={(appId) => appId !== undefined && onChoose(appId)}
        />
      ) : (
        <select id={id} value={chosen} onChange={({ target }) => onChoose(Number(target.value))}>
          {workspaces.map(([name, list]) => (
            <optgroup key={name} label={name}>
              {list.map((app) => (
                <option key={app.app_id} value={app.app_id}>
                  {app.name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </div>
  )
}
