// Shows a record: its fields, edited in place, its comments and its history.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { appOf } from "../../api/queries.ts"
import type { RecordRow } from "../../api/types.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Page } from "../../ui/Page.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { authorName } from "../../ui/values.tsx"
import { Comments } from "./Comments.tsx"
import { FieldRow } from "./FieldRow.tsx"
import { History } from "./History.tsx"
import { recordChanged, recordOf } from "./recordQueries.ts"
import "./records.css"

const route = getRouteApi("/records/$recordId")

interface RecordProps {
  readonly record: RecordRow
  readonly mayEdit: boolean
}

const Delete = ({ record }: { readonly record: RecordRow }) => {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.records.remove({ record_id: record.record_id }),
    onSuccess: () => recordChanged(queries, record)
  })
  return (
    <>
      <Confirm label="Delete" title="Delete this record?" yes="Delete it" busy={remove.isPending} onYes={remove.mutate}>
        <p>It goes to the trash, from where it can be taken back for 30 days.</p>
      </Confirm>
      {remove.isError && <Failure what="It was not deleted." error={remove.error} />}
    </>
  )
}

const Deleted = ({ record, mayEdit }: RecordProps) => {
  const queries = useQueryClient()
  const restore = useMutation({
    mutationFn: () => client.records.restore({ record_id: record.record_id }),
    onSuccess: () => recordChanged(queries, record)
  })
  return (
    <div className="note warn">
      <p>This record is in the trash, and is destroyed 30 days after its deletion.</p>
      {mayEdit && (
        <button type="button" className="small" disabled={restore.isPending} onClick={() => restore.mutate()}>
          Restore it
        </button>
      )}
      {restore.isError && <Failure what="It was not restored." error={restore.error} />}
    </div>
  )
}

/** Why calculations of the record have no result. */
const CalculationErrors = ({ record }: { readonly record: RecordRow }) => {
  const app = useQuery(appOf(record.app_id))
  const labelOf = (id: number) => app.data?.fields.find(({ field_id }) => field_id === id)?.label
  return (
    <div className="note warn">
      {record.calculation_errors?.map(({ external_id, field_id, message }) => (
        <p key={field_id}>
          <strong>{labelOf(field_id) ?? external_id}</strong> has no result: {message}.
        </p>
      ))}
    </div>
  )
}

const Fields = ({ record, mayEdit }: RecordProps) => {
  const app = useQuery(appOf(record.app_id))
  return (
    <section className="card" aria-label="Fields">
      <Asked query={app} what="fields">
        {({ fields }) => (
          <dl className="fields">
            {fields
              .filter(({ config, field_type }) => !config.always_hidden && field_type !== "unique_id")
              .map((field) => (
                <FieldRow
                  key={field.field_id}
                  record={record}
                  field={field}
                  cell={record.fields.find(({ field_id }) => field_id === field.field_id)}
                  fixed={record.deleted_on !== null || !mayEdit}
                />
              ))}
          </dl>
        )}
      </Asked>
    </section>
  )
}

export const RecordPage = () => {
  const recordId = Number(route.useParams().recordId)
  const query = useQuery(recordOf(recordId))
  const record = query.data
  const app = useQuery({ ...appOf(record?.app_id ?? 0), enabled: record !== undefined })
  const mayEdit = (app.data?.permission_level ?? 0) >= 3
  const trail = record && (
    <>
      <Link to="/apps">Apps</Link> ›{" "}
      <Link to="/apps/$appId" params={{ appId: String(record.app_id) }} search={{}}>
        {record.app.name}
      </Link>
    </>
  )
  const title = record === undefined ? "Record" : record.title || `${record.app.record_name} ${record.app_record_id}`
  return (
    <Page
      title={title}
      trail={trail ?? <Link to="/apps">Apps</Link>}
      actions={record !== undefined && mayEdit && record.deleted_on === null ? <Delete record={record} /> : undefined}
    >
      <Asked query={query} what="the record">
        {(known) => (
          <>
            <p className="muted">
              Created <Time at={known.created_on} /> by {authorName(known.created_by)}
              {known.last_modified_on !== null && known.last_modified_by !== null && (
                <>
                  {" · changed "}
                  <Time at={known.last_modified_on} /> by {authorName(known.last_modified_by)}
                </>
              )}
            </p>
            {known.deleted_on !== null && <Deleted record={known} mayEdit={mayEdit} />}
            {known.calculation_errors !== undefined && <CalculationErrors record={known} />}
            <div className="columns">
              <Fields record={known} mayEdit={mayEdit} />
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
