// An automation as it is edited: what the editor needs is asked for first.
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { appOf, me } from "../../../api/queries.ts"
import { editorPage as texts } from "../../../texts/automations/editor.ts"
import { Page } from "../../../ui/Page.tsx"
import { Failure, Loading } from "../../../ui/states.tsx"
import { automationOf } from "../automationQueries.ts"
import { type ActionType, actionTypes, type TriggerType, triggerTypes } from "./catalogue.ts"
import { Editor } from "./Editor.tsx"

const route = getRouteApi("/automations/$automationId/edit")

export const EditorPage = () => {
  const automation_id = Number(route.useParams().automationId)
  const { run, step } = route.useSearch()
  const automation = useQuery(automationOf(automation_id))
  const app = useQuery({ ...appOf(automation.data?.app_id ?? 0), enabled: automation.data !== undefined })
  const actions = useQuery(actionTypes)
  const triggers = useQuery(triggerTypes)
  const person = useQuery(me)
  const failed = [automation, app, actions, triggers, person].find(({ data, isError }) => isError && data === undefined)
  if (failed !== undefined)
    return (
      <Page title={texts.edit}>
        <Failure what={texts.loadingTheAutomationFailed} error={failed.error} again={() => void failed.refetch()} />
      </Page>
    )
  if (
    automation.data === undefined ||
    app.data === undefined ||
    actions.data === undefined ||
    triggers.data === undefined ||
    person.data === undefined
  )
    return (
      <Page title={texts.edit}>
        <Loading />
      </Page>
    )
  return (
    <Editor
      key={`${automation_id} ${run ?? ""}`}
      run={run}
      step={step}
      automation={automation.data}
      app={app.data}
      actions={actions.data.actions as ReadonlyArray<ActionType>}
      retryTypes={actions.data.retry.types}
      user={person.data.user_id}
      triggers={triggers.data.triggers as ReadonlyArray<TriggerType>}
    />
  )
}
