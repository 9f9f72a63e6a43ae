// A new record: a form of the app's fields. Several in a row are made without leaving it.
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import { appOf } from "../../api/queries.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { RecordForm } from "./RecordForm.tsx"
import "./records.css"
import { newRecordPage as texts } from "../../texts/records/record.ts"

const route = getRouteApi("/apps/$appId/new")

export const NewRecordPage = () => {
  const { appId } = route.useParams()
  const app = useQuery(appOf(Number(appId)))
  const navigate = useNavigate()
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
      title={app.data === undefined ? texts.newRecord : texts.newItemName(app.data.item_name.toLowerCase())}
      trail={trail}
    >
      <Asked query={app} failed={texts.loadingTheAppFailed}>
        {(known) =>
          known.permission_level < 3 ? (
            <Empty title={texts.youMayNotAddRecords}>
              <p>{texts.youMayLookAtThose}</p>
            </Empty>
          ) : (
            <section className="card" aria-label={texts.theNewRecord}>
              <RecordForm
                app={known}
                fields={known.fields}
                button={texts.save}
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
