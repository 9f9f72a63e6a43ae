// A new automation: of an app, with a name; then the editor.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { client } from "../../../api/client.ts"
import { newAutomationPage as texts } from "../../../texts/automations/editor.ts"
import { ChoiceOfMany } from "../../../ui/ChoiceOfMany.tsx"
import { Page } from "../../../ui/Page.tsx"
import { Asked, Empty, Failure } from "../../../ui/states.tsx"
import { administered } from "../../apps/appQueries.ts"

export const NewAutomationPage = () => {
  const query = useQuery(administered)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [appId, setAppId] = useState<number>()
  const [name, setName] = useState("")
  const create = useMutation({
    mutationFn: (app_id: number) => client.automations.create({ app_id, body: { name, actions: [] } }),
    onSuccess: ({ automation }) => {
      void queries.invalidateQueries({ queryKey: ["automations"] })
      void navigate({ to: "/automations/$automationId/edit", params: { automationId: String(automation.id) } })
    }
  })
  return (
    <Page
      title={texts.newAutomation}
      trail={
        <Link to="/automations" search={{}}>
          {texts.automations}
        </Link>
      }
    >
      <Asked query={query} failed={texts.loadingAppsFailed}>
        {({ apps: all }) => {
          const chosenAppId = appId ?? all[0]?.app_id
          if (chosenAppId === undefined)
            return (
              <Empty title={texts.noAppsOfYours}>
                <p>{texts.automationBelongsToAnApp}</p>
              </Empty>
            )
          return (
            <form
              className="card"
              onSubmit={(event) => {
                event.preventDefault()
                create.mutate(chosenAppId)
              }}
            >
              <div className="field">
                <label htmlFor="new-app">{texts.app}</label>
                <ChoiceOfMany
                  id="new-app"
                  value={chosenAppId}
                  required
                  choices={all.map((app) => [app.app_id, app.name])}
                  onChange={setAppId}
                />
              </div>
              <div className="field">
                <label htmlFor="new-name">{texts.name}</label>
                <input
                  id="new-name"
                  required
                  maxLength={5000}
                  autoComplete="off"
                  value={name}
                  onChange={({ target }) => setName(target.value)}
                />
              </div>
              {create.isError && <Failure what={texts.itWasNotMade} error={create.error} />}
              <button type="submit" disabled={create.isPending}>
                {texts.goOnToItsSteps}
              </button>
            </form>
          )
        }}
      </Asked>
    </Page>
  )
}
