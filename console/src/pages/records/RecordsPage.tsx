// The records of an app, filtered, sorted and by saved views, as a grid or in another layout; and a record beside them. All of it is in the address.
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { appOf } from "../../api/queries.ts"
import type { App } from "../../api/types.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked, Empty, Failure, Loading } from "../../ui/states.tsx"
import { AppActions } from "./AppActions.tsx"
import { FilterBar } from "./FilterBar.tsx"
import { columnsOf } from "./grid/columns.ts"
import { LookButton } from "./grid/LookButton.tsx"
import { orderedFields } from "./grid/look.ts"
import { useLook } from "./grid/useLook.ts"
import { useHead } from "./grid/useRows.ts"
import { isSameLook } from "./grid/viewLook.ts"
import { LayoutBar } from "./layouts/LayoutBar.tsx"
import { LayoutSwitch } from "./layouts/LayoutSwitch.tsx"
import { chosenLayout, isSameLayout, layoutOfView, placeOf } from "./layouts/layoutFields.ts"
import { viewOf } from "./layouts/layoutQueries.ts"
import type { LayoutSearch } from "./layouts/layoutSearch.ts"
import { RecordGrid, type RecordGridProps } from "./RecordGrid.tsx"
import type { AppSearch, GridSearch } from "./recordQueries.ts"
import { TitleSearch } from "./TitleSearch.tsx"
import { ViewPicker } from "./ViewPicker.tsx"
import { addressOf, fullSearchOf, hasOwnConditions } from "./viewConditions.ts"
import "./records.css"
import { recordsPage as texts } from "../../texts/records/records.ts"

const RecordPanel = lazy(() => import("./RecordPanel.tsx"))
const LayoutArea = lazy(() => import("./layouts/LayoutArea.tsx"))

const route = getRouteApi("/apps/$appId")

/** The part of the address that says which records are shown. */
const gridSearchOf = ({ desc, filters, sort, title, view }: AppSearch): GridSearch => ({
  ...(view !== undefined && { view }),
  ...(sort !== undefined && { sort }),
  ...(desc !== undefined && { desc }),
  ...(filters !== undefined && { filters }),
  ...(title !== undefined && { title })
})

const formatTotal = (total: number, item: string) => texts.totalRecords(total.toLocaleString(), total, item)

interface RecordsProps {
  readonly app: App
  readonly search: AppSearch
  readonly go: (next: AppSearch, isReplacement?: boolean) => void
}
/** The number of records, in tables and galleries, which read it anyway. */
const Total = ({ app, search }: { readonly app: App; readonly search: GridSearch }) => {
  const { data } = useHead(app.app_id, search)
  return <output className="muted">{data === undefined ? "" : formatTotal(data.total ?? 0, app.name)}</output>
}

interface TableProps extends Omit<RecordGridProps, "children" | "head"> {
  readonly narrowed: boolean
}
const Table = ({ narrowed, ...grid }: TableProps) => {
  const head = useHead(grid.app.app_id, grid.search)
  if (head.isError)
    return <Failure what={texts.loadingRecordsFailed} error={head.error} again={() => void head.refetch()} />
  if (head.data === undefined) return <Loading />
  return (
    <RecordGrid key={grid.placeKey} {...grid} head={head}>
      {head.data.total === 0 && (
        <Empty title={narrowed || grid.search.view !== undefined ? texts.noRecordMatches : texts.noRecordsYet}>
          <p className="muted">{narrowed ? texts.removeAConditionOrShorten : texts.recordsThatAreCreatedShow}</p>
        </Empty>
      )}
    </RecordGrid>
  )
}

const Records = ({ app, go, search: { record, ...all } }: RecordsProps) => {
  const { board, cover, day, end, layout, start, week, ...search } = all
  const layoutPlace: LayoutSearch = { board, cover, day, end, layout, start, week }
  const view = useQuery(viewOf(app.app_id, search.view))
  const { base, change: changeLook, discard, look } = useLook(app.app_id, view.data)
  const [filterField, setFilterField] = useState<number>()
  const chosen = chosenLayout(app, layoutPlace, view.data)
  const ownLayout = chosenLayout(app, {}, view.data)
  const fullSearch = fullSearchOf(search, view.data, app)
  const { view: _, ...ownSearch } = fullSearch
  const narrowed = (fullSearch.filters ?? []).length > 0 || fullSearch.title !== undefined
  const isChanged = hasOwnConditions(search) || !isSameLook(app, look, base)
  /** Another view brings its own layout; what leaves the view keeps the layout that is shown. */
  const change = (next: GridSearch) => {
    const address = addressOf(next, view.data, app)
    if (next.view === search.view) return go({ ...layoutPlace, ...address })
    go(next.view === undefined ? { ...placeOf(chosen, layoutPlace), ...address } : address)
  }
  const changePlace = (changed: LayoutSearch) =>
    go({ ...all, ...(record !== undefined && { record }), ...changed }, true)
  const openRecord = (recordId: number | undefined) =>
    go({ ...all, ...(recordId !== undefined && { record: recordId }) }, record !== undefined)
  const isOwnRead = chosen.layout === "table" || chosen.layout === "gallery"
  const isKnown = search.view === undefined || view.data !== undefined
  const shownFields = orderedFields(columnsOf(app), look).filter(({ field_id }) => !look.hidden.includes(field_id))
  return (
    <>
      <div className="tools app-tools">
        <ViewPicker
          app={app}
          view={view.data}
          search={fullSearch}
          look={look}
          layout={layoutOfView(chosen)}
          isChanged={isChanged}
          discard={discard}
          change={change}
        />
        <LayoutSwitch
          app={app}
          layout={chosen.layout}
          view={search.view}
          change={(next) => go({ ...all, layout: next === ownLayout.layout ? undefined : next })}
        />
        <TitleSearch search={fullSearch} change={change} />
        <FilterBar
          key={search.view}
          app={app}
          search={fullSearch}
          change={change}
          isOfView={view.data !== undefined && !hasOwnConditions(search)}
          fieldId={filterField}
          setFieldId={setFilterField}
        />
        <LookButton app={app} look={look} change={changeLook} />
        <LayoutBar
          app={app}
          chosen={chosen}
          viewId={search.view}
          isChanged={isKnown && !isSameLayout(chosen, ownLayout)}
          changePlace={changePlace}
        />
        {isKnown && isOwnRead && <Total app={app} search={search} />}
      </div>
      <div className={record === undefined ? "grid-area" : "grid-area with-panel"}>
        {view.isError ? (
          <Failure what={texts.loadingTheViewFailed} error={view.error} again={() => void view.refetch()} />
        ) : !isKnown ? (
          <Loading />
        ) : chosen.layout === "table" ? (
          <Table
            app={app}
            placeKey={`${app.app_id} ${JSON.stringify(search)}`}
            narrowed={narrowed}
            look={look}
            changeLook={changeLook}
            search={search}
            fullSearch={fullSearch}
            change={change}
            filterBy={setFilterField}
            open={openRecord}
          />
        ) : (
          <Suspense fallback={<Loading />}>
            <LayoutArea
              app={app}
              search={chosen.layout === "gallery" ? search : ownSearch}
              chosen={chosen}
              place={layoutPlace}
              changePlace={changePlace}
              fields={shownFields}
              open={openRecord}
            />
          </Suspense>
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
      title={app.data?.name ?? texts.app}
      wide
      trail={<Link to="/apps">{texts.apps}</Link>}
      actions={app.data && <AppActions app={app.data} search={gridSearchOf(search)} />}
    >
      <Asked query={app} failed={texts.loadingTheAppFailed}>
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
