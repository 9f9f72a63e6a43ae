// The settings of an app, for who administers it: what it is called, its fields, its end.
import "./apps.css"
import type { InputOf } from "@millrace/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { appOf } from "../../api/queries.ts"
import type { App } from "../../api/types.ts"
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
    <section className="card" aria-label="Names">
      <AppForm
        first={{
          name: app.name,
          item_name: app.item_name,
          description: app.description ?? "",
          emoji: icon?.type === "emoji" ? icon.emoji : ""
        }}
        button="Save"
        busy={save.isPending}
        error={save.error}
        done={save.isSuccess ? "Saved." : undefined}
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
      <Link to="/apps">Apps</Link> ›{" "}
      <Link to="/apps/$appId" params={{ appId }} search={{}}>
        {app.data?.name ?? "App"}
      </Link>
    </>
  )
  return (
    <Page
      title={app.data === undefined ? "Settings" : `Settings of ${app.data.name}`}
      trail={trail}
      actions={
        <Link className="button small" to="/apps/$appId" params={{ appId }} search={{}}>
          Open records
        </Link>
      }
    >
      <Asked query={app} what="the app">
        {(known) =>
          known.permission_level < 5 ? (
            <Empty title="You may not change this app">
              <p>Admins of its workspace may.</p>
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
