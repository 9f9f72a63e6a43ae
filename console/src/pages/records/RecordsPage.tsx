// The records of an app: a grid that filters, sorts and shows saved views, and a record beside it, all of it in the address.
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { appOf } from "../../api/queries.ts"
import type { App } from "../../api/types.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked, Empty, Failure, Loading } from "../../ui/states.tsx"
import { AppActions } from "./AppActions.tsx"
import { ExportCsv } from "./csv/ExportCsv.tsx"
import { FilterBar } from "./FilterBar.tsx"
import { LookButton } from "./grid/LookButton.tsx"
import { useLook } from "./grid/useLook.ts"
import { useHead } from "./grid/useRows.ts"
import { RecordGrid } from "./RecordGrid.tsx"
import type { AppSearch, GridSearch } from "./recordQueries.ts"
import { TitleSearch } from "./TitleSearch.tsx"
import { ViewPicker } from "./ViewPicker.tsx"
import "./records.css"

const RecordPanel = lazy(() => import("./RecordPanel.tsx"))

const route = getRouteApi("/apps/$appId")

const formatTotal = (total: number, item: string) =>
  `${total.toLocaleString()} ${total === 1 ? `record of ${item}` : "records"}`

interface RecordsProps {
  readonly app: App
  readonly search: AppSearch
  readonly go: (next: AppSearch, isReplacement?: boolean) => void
}
const Records = ({ app, go, search: { record, ...search } }: RecordsProps) => {
  const head = useHead(app.app_id, search)
  const total = head.data?.total ?? 0
  const { change: changeLook, look } = useLook(app.app_id, search.view)
  const [filterField, setFilterField] = useState<number>()
  const narrowed = (search.filters ?? []).length > 0 || search.title !== undefined
  const change = (next: GridSearch) => go(next)
  const openRecord = (recordId: number | undefined) =>
    go({ ...search, ...(recordId !== undefined && { record: recordId }) }, record !== undefined)
  const placeKey = `${app.app_id} ${JSON.stringify(search)}`
  return (
    <>
      <div className="tools">
        <ViewPicker app={app} search={search} change={change} />
        <TitleSearch search={search} change={change} />
        <FilterBar app={app} search={search} change={change} fieldId={filterField} setFieldId={setFilterField} />
        <LookButton app={app} look={look} change={changeLook} />
        <ExportCsv app={app} search={search} />
        <output className="muted">{head.data === undefined ? "" : formatTotal(total, app.name)}</output>
      </div>
      <div className={record === undefined ? "grid-area" : "grid-area with-panel"}>
        {head.isError ? (
          <Failure what="Loading records failed." error={head.error} again={() => void head.refetch()} />
        ) : head.data === undefined ? (
          <Loading what="records" />
        ) : (
          <RecordGrid
            key={placeKey}
            app={app}
            head={head}
            placeKey={placeKey}
            look={look}
            changeLook={changeLook}
            search={search}
            change={change}
            filterBy={setFilterField}
            open={openRecord}
          >
            {total === 0 && (
              <Empty title={narrowed || search.view !== undefined ? "No record matches" : "No records yet"}>
                <p className="muted">
                  {narrowed
                    ? "Remove a condition or shorten the search to see more records."
                    : "Records that are created show up here."}
                </p>
              </Empty>
            )}
          </RecordGrid>
        )}
        {record !== undefined && (
          <Suspense fallback={null}>
            <RecordPanel key={record} recordId={record} close={() => openRecord(undefined)} />
          </Suspense>
        )}
      </div>
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
          <Records
            key={appId}
            app={known}
            search={search}
            go={(next, replace = false) => void navigate({ search: next, replace })}
          />
        )}
      </Asked>
    </Page>
  )
}
