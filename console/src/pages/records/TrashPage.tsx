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
import { trashPage as texts } from "../../texts/records/records.ts"

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
        <small>
          {texts.deleted} {deleted_on !== null && <Time at={deleted_on} />}
        </small>
        {restore.isError && <Failure what={texts.itWasNotRestored} error={restore.error} />}
        {destroy.isError && <Failure what={texts.itWasNotDestroyed} error={destroy.error} />}
      </div>
      {app.permission_level >= 3 && (
        <div className="actions">
          <button
            type="button"
            className="quiet small"
            aria-label={texts.restoreTitle(title)}
            disabled={busy}
            onClick={() => restore.mutate()}
          >
            {texts.restore}
          </button>
          <Confirm
            label={texts.destroyTitle(title)}
            title={texts.destroyTitleQuestion(title)}
            yes={texts.destroyIt}
            busy={busy}
            onYes={destroy.mutate}
          >
            <p>{texts.withItsCommentsFiles}</p>
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
      <Link to="/apps">{texts.apps}</Link> ›{" "}
      <Link to="/apps/$appId" params={{ appId }} search={{}}>
        {app.data?.name ?? texts.app}
      </Link>
    </>
  )
  return (
    <Page
      title={app.data === undefined ? texts.trash : texts.trashOf(app.data.name)}
      trail={trail}
      lead={texts.deletedRecordsAreDestroyedAfter}
    >
      <Asked query={app} failed={texts.loadingTheAppFailed}>
        {(known) => (
          <Asked query={trash} failed={texts.loadingTheTrashFailed}>
            {({ pages }) =>
              pages[0]!.total === 0 ? (
                <Empty title={texts.trashIsEmpty} />
              ) : (
                <section className="card" aria-label={texts.deletedRecords}>
                  <ul className="plain trash">
                    {pages
                      .flatMap(({ records }) => records)
                      .map((record) => (
                        <Trashed key={record.record_id} app={known} record={record} />
                      ))}
                  </ul>
                  <ShowMore
                    query={trash}
                    shown={pages.flatMap(({ records }) => records).length}
                    show={texts.showEarlierOnes}
                    failed={texts.loadingEarlierOnesFailed}
                  />
                </section>
              )
            }
          </Asked>
        )}
      </Asked>
    </Page>
  )
}
