// Which apps a relation offers records of.
import { useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { apps } from "../../../api/queries.ts"
import { relationForm as texts } from "../../../texts/apps/settings.ts"
import { Asked } from "../../../ui/states.tsx"
import type { SettingsFormProps } from "./settings.ts"

interface Referenced {
  readonly app_id: number
}

export const RelationForm = ({ settings, onChange }: SettingsFormProps) => {
  const id = useId()
  const query = useQuery(apps)
  const referencedApps = (settings["referenced_apps"] ?? []) as ReadonlyArray<Referenced>
  const toggle = (app_id: number) =>
    onChange({
      ...settings,
      referenced_apps: referencedApps.some((one) => one.app_id === app_id)
        ? referencedApps.filter((one) => one.app_id !== app_id)
        : [...referencedApps, { app_id }]
    })
  return (
    <fieldset>
      <legend>{texts.recordsOf}</legend>
      <Asked query={query} failed={texts.loadingAppsFailed}>
        {({ apps: all }) =>
          all.map(({ app_id, name }) => (
            <div className="pick" key={app_id}>
              <input
                id={`${id}-${app_id}`}
                type="checkbox"
                checked={referencedApps.some((one) => one.app_id === app_id)}
                onChange={() => toggle(app_id)}
              />
              <label htmlFor={`${id}-${app_id}`}>{name}</label>
            </div>
          ))
        }
      </Asked>
    </fieldset>
  )
}
