// A new record: a form of the app's fields. Several in a row are made without leaving it.
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import { appOf } from "../../api/queries.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { RecordForm } from "./RecordForm.tsx"
import "./records.css"

const route = getRouteApi("/apps/$appId/new")

export const NewRecordPage = () => {
  const { appId } = route.useParams()
  const app = useQuery(appOf(Number(appId)))
  const navigate = useNavigate()
  const trail = (
    <>
      <Link to="/apps">Apps</Link> ›{" "}
      <Link to="/apps/$appId" params={{ appId }} search={{}}>
        {app.data?.name ?? "App"}
      </Link>
    </>
  )
  return (
    <Page title={app.data === undefined ? "New record" : `New ${app.data.item_name.toLowerCase()}`} trail={trail}>
      <Asked query={app} what="the app">
        {(known) =>
          known.permission_level < 3 ? (
            <Empty title="You may not add records here">
              <p>You may look at those that are there.</p>
            </Empty>
          ) : (
            <section className="card" aria-label="The new record">
              <RecordForm
                app={known}
                fields={known.fields}
                button="Save"
                another
                onAdded={({ record_id }) =>
                  void navigate({ to: "/records/$recordId", params: { recordId: String(record_id) } })
                }
              />
            </section>
          )
        }
      </Asked>
    </Page>
  )
}
