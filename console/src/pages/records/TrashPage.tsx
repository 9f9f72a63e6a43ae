// The trash of an app: what was deleted, latest first, taken out again or destroyed before its time.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { appOf } from "../../api/queries.ts"
import type { App, RecordRow } from "../../api/types.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Asked, Empty, Failure } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { recordChanged, trashOf } from "./recordQueries.ts"
import "./records.css"

const route = getRouteApi("/apps/$appId/trash")

const Trashed = ({ app, record }: { readonly app: App; readonly record: RecordRow }) => {
  const queries = useQueryClient()
  const { deleted_on, record_id } = record
  const title = record.title || `${app.item_name} ${record.app_record_id}`
  const onSuccess = () => recordChanged(queries, record)
  const restore = useMutation({ mutationFn: () => client.records.restore({ record_id }), onSuccess })
  const destroy = useMutation({ mutationFn: () => client.records.remove({ record_id, skip_trash: true }), onSuccess })
  const busy = restore.isPending || destroy.isPending
  return (
    <li className="row">
      <div>
        <Link to="/records/$recordId" params={{ recordId: String(record_id) }}>
          {title}
        </Link>{" "}
        <small>deleted {deleted_on !== null && <Time at={deleted_on} />}</small>
        {restore.isError && <Failure what="It was not restored." error={restore.error} />}
        {destroy.isError && <Failure what="It was not destroyed." error={destroy.error} />}
      </div>
      {app.permission_level >= 3 && (
        <div className="actions">
          <button
            type="button"
            className="quiet small"
            aria-label={`Restore ${title}`}
            disabled={busy}
            onClick={() => restore.mutate()}
          >
            Restore
          </button>
          <Confirm
            label={`Destroy ${title}`}
            title={`Destroy ${title}?`}
            yes="Destroy it"
            busy={busy}
            onYes={destroy.mutate}
          >
            <p>With its comments, files and history. Nothing brings it back.</p>
          </Confirm>
        </div>
      )}
    </li>
  )
}

export const TrashPage = () => {
  const { appId } = route.useParams()
  const app = useQuery(appOf(Number(appId)))
  const trash = useInfiniteQuery(trashOf(Number(appId)))
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
      title={app.data === undefined ? "Trash" : `Trash of ${app.data.name}`}
      trail={trail}
      lead="Deleted records are destroyed after 30 days, unless the service is set up otherwise."
    >
      <Asked query={app} what="the app">
        {(known) => (
          <Asked query={trash} what="the trash">
            {({ pages }) =>
              pages[0]!.total === 0 ? (
                <Empty title="The trash is empty" />
              ) : (
                <section className="card" aria-label="Deleted records">
                  <ul className="plain trash">
                    {pages
                      .flatMap(({ records }) => records)
                      .map((record) => (
                        <Trashed key={record.record_id} app={known} record={record} />
                      ))}
                  </ul>
                  <ShowMore query={trash} shown={pages.flatMap(({ records }) => records).length} what="earlier ones" />
                </section>
              )
            }
          </Asked>
        )}
      </Asked>
    </Page>
  )
}
