// The records of an app: a grid that filters, sorts and shows saved views, all of it in the address.
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { appOf } from "../../api/queries.ts"
import type { App } from "../../api/types.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked, Empty, Failure, Loading } from "../../ui/states.tsx"
import { AppActions } from "./AppActions.tsx"
import { ExportCsv } from "./csv/ExportCsv.tsx"
import { FilterBar } from "./FilterBar.tsx"
import { Grid } from "./grid/Grid.tsx"
import { useHead, useRows } from "./grid/useRows.ts"
import { useWindow } from "./grid/useWindow.ts"
import type { GridSearch } from "./recordQueries.ts"
import { TitleSearch } from "./TitleSearch.tsx"
import { ViewPicker } from "./ViewPicker.tsx"
import "./records.css"

const route = getRouteApi("/apps/$appId")

const formatTotal = (total: number, item: string) =>
  `${total.toLocaleString()} ${total === 1 ? `record of ${item}` : "records"}`

interface RecordsProps {
  readonly app: App
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
}
const Records = ({ app, search, change }: RecordsProps) => {
  const head = useHead(app.app_id, search)
  const total = head.data?.total ?? 0
  const rowWindow = useWindow(total)
  const rows = useRows(app.app_id, search, head, rowWindow.first, rowWindow.last)
  const narrowed = (search.filters ?? []).length > 0 || search.title !== undefined
  return (
    <>
      <div className="tools">
        <ViewPicker app={app} search={search} change={change} />
        <TitleSearch search={search} change={change} />
        <FilterBar app={app} search={search} change={change} />
        <ExportCsv app={app} search={search} />
        <output className="muted">{head.data === undefined ? "" : formatTotal(total, app.name)}</output>
      </div>
      {rows.failed !== undefined && (
        <Failure what="Loading records failed." error={rows.failed.error} again={() => void rows.failed?.refetch()} />
      )}
      {head.isError ? (
        <Failure what="Loading records failed." error={head.error} again={() => void head.refetch()} />
      ) : head.data === undefined ? (
        <Loading what="records" />
      ) : total === 0 ? (
        <Empty title={narrowed || search.view !== undefined ? "No record matches" : "No records yet"}>
          <p className="muted">
            {narrowed
              ? "Remove a condition or shorten the search to see more records."
              : "Records that are created show up here."}
          </p>
        </Empty>
      ) : (
        <Grid app={app} rows={rows} seen={rowWindow} search={search} change={change} />
      )}
    </>
  )
}

export const RecordsPage = () => {
  const { appId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const app = useQuery(appOf(Number(appId)))
  return (
    <Page
      title={app.data?.name ?? "App"}
      wide
      trail={<Link to="/apps">Apps</Link>}
      actions={app.data && <AppActions app={app.data} />}
    >
      <Asked query={app} what="the app">
        {(known) => (
          <Records key={appId} app={known} search={search} change={(next) => void navigate({ search: next })} />
        )}
      </Asked>
    </Page>
  )
}
