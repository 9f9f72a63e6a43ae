// Shows a record: its fields, edited in place, its comments and its history.
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { appOf } from "../../api/queries.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { authorName } from "../../ui/values.tsx"
import { Comments } from "./Comments.tsx"
import { History } from "./History.tsx"
import { CalculationErrors, DeleteRecord, InTrash, RecordFields } from "./RecordParts.tsx"
import { recordOf } from "./recordQueries.ts"
import "./records.css"
import { recordPage as texts } from "../../texts/records/record.ts"

const route = getRouteApi("/records/$recordId")

export const RecordPage = () => {
  const recordId = Number(route.useParams().recordId)
  const query = useQuery(recordOf(recordId))
  const record = query.data
  const app = useQuery({ ...appOf(record?.app_id ?? 0), enabled: record !== undefined })
  const mayEdit = (app.data?.permission_level ?? 0) >= 3
  const trail = record && (
    <>
      <Link to="/apps">{texts.apps}</Link> ›{" "}
      <Link to="/apps/$appId" params={{ appId: String(record.app_id) }} search={{}}>
        {record.app.name}
      </Link>
    </>
  )
  const title =
    record === undefined ? texts.record : record.title || `${record.app.record_name} ${record.app_record_id}`
  return (
    <Page
      title={title}
      trail={trail ?? <Link to="/apps">{texts.apps}</Link>}
      actions={
        record !== undefined && mayEdit && record.deleted_on === null ? <DeleteRecord record={record} /> : undefined
      }
    >
      <Asked query={query} failed={texts.loadingTheRecordFailed}>
        {(known) => (
          <>
            <p className="muted">
              {texts.createdTimeByAuthorName(<Time at={known.created_on} />, authorName(known.created_by))}
              {known.last_modified_on !== null && known.last_modified_by !== null && (
                <>
                  {" "}
                  {texts.changedTimeByAuthorName(
                    <Time at={known.last_modified_on} />,
                    authorName(known.last_modified_by)
                  )}
                </>
              )}
            </p>
            {known.deleted_on !== null && <InTrash record={known} mayEdit={mayEdit} />}
            {known.calculation_errors !== undefined && <CalculationErrors record={known} />}
            <div className="columns">
              <RecordFields record={known} mayEdit={mayEdit} />
              <div>
                <Comments record={known} />
                <History record={known} />
              </div>
            </div>
          </>
        )}
      </Asked>
    </Page>
  )
}
