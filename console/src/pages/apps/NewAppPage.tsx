// A new app: where it is, what it is called. It begins with one field, its records' name; further ones are added on the next page.
import { ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"
import "./apps.css"
import type { InputOf } from "@millrace/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { newAppPage as texts } from "../../texts/apps/apps.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { AppForm, appBody } from "./AppForm.tsx"
import { buildable } from "./appQueries.ts"

const nothing = { name: "", item_name: "", description: "", emoji: "" }
const firstField = {
  field_type: "single_text" as const,
  config: { label: texts.firstField.config.label, required: true }
}

export const NewAppPage = () => {
  const id = useId()
  const workspaces = useQuery(buildable)
  const [chosen, setChosen] = useState<number>()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: (input: InputOf<"apps.create">) => client.apps.create(input),
    onSuccess: async ({ app_id }) => {
      await queries.invalidateQueries({ queryKey: ["apps"] })
      await navigate({ to: "/apps/$appId/settings", params: { appId: String(app_id) } })
    }
  })
  return (
    <Page title={texts.newApp} trail={<Link to="/apps">{texts.apps}</Link>} lead={texts.itBeginsWithOneField}>
      <Asked query={workspaces} failed={texts.loadingWorkspacesFailed}>
        {(list) => {
          if (list.length === 0)
            return (
              <Empty title={texts.youMayBuildNoApps}>
                <p>{texts.adminsOfAWorkspaceBuild}</p>
              </Empty>
            )
          const workspace_id = chosen ?? list[0]!.workspace_id
          return (
            <section className="card" aria-label={texts.theNewApp}>
              <AppForm
                first={nothing}
                button={texts.createApp}
                busy={create.isPending}
                error={create.error}
                send={(draft) => create.mutate({ body: { workspace_id, ...appBody(draft), fields: [firstField] } })}
              >
                {list.length > 1 && (
                  <div className="field">
                    <label htmlFor={id}>{texts.workspace}</label>
                    <ChoiceOfMany
                      id={id}
                      choices={list.map((one) => [one.workspace_id, one.name])}
                      value={workspace_id}
                      required
                      onChange={setChosen}
                    />
                  </div>
                )}
              </AppForm>
            </section>
          )
        }}
      </Asked>
    </Page>
  )
}
