// The settings of an app, for who administers it: what it is called, its fields, its end.
import "./apps.css"
import type { InputOf } from "@millrace/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { appOf } from "../../api/queries.ts"
import type { App } from "../../api/types.ts"
import { appSettingsPage as texts } from "../../texts/apps/apps.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { AppForm, appBody } from "./AppForm.tsx"
import { appChanged } from "./appQueries.ts"
import { DeleteApp } from "./DeleteApp.tsx"
import { FieldList } from "./FieldList.tsx"

const route = getRouteApi("/apps/$appId/settings")

const Names = ({ app }: { readonly app: App }) => {
  const queries = useQueryClient()
  const { icon } = app.config
  const save = useMutation({
    mutationFn: (input: InputOf<"apps.update">) => client.apps.update(input),
    onSuccess: () => appChanged(queries, app.app_id)
  })
  return (
    <section className="card" aria-label={texts.names}>
      <AppForm
        first={{
          name: app.name,
          item_name: app.item_name,
          description: app.description ?? "",
          emoji: icon?.type === "emoji" ? icon.emoji : ""
        }}
        button={texts.save}
        busy={save.isPending}
        error={save.error}
        done={save.isSuccess ? texts.saved : undefined}
        send={(draft) => save.mutate({ app_id: app.app_id, body: appBody(draft) })}
      />
    </section>
  )
}

export const AppSettingsPage = () => {
  const { appId } = route.useParams()
  const app = useQuery(appOf(Number(appId)))
  const trail = (
    <>
      <Link to="/apps">{texts.apps}</Link> ›{" "}
      <Link to="/apps/$appId" params={{ appId }} search={{}}>
        {app.data?.name ?? texts.app}
      </Link>
    </>
  )
  return (
    <Page
      title={app.data === undefined ? texts.settings : texts.settingsOf(app.data.name)}
      trail={trail}
      actions={
        <Link className="button small" to="/apps/$appId" params={{ appId }} search={{}}>
          {texts.openRecords}
        </Link>
      }
    >
      <Asked query={app} failed={texts.loadingTheAppFailed}>
        {(known) =>
          known.permission_level < 5 ? (
            <Empty title={texts.youMayNotChange}>
              <p>{texts.adminsOfItsWorkspaceMay}</p>
            </Empty>
          ) : (
            <>
              <FieldList app={known} />
              <Names app={known} />
              <DeleteApp app={known} />
            </>
          )
        }
      </Asked>
    </Page>
  )
}
