// The records of an app: a grid that filters, sorts and shows saved views, all of it in the address.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { appOf } from "../../api/queries.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked, Empty, Failure, Loading } from "../../ui/states.tsx"
import { AppActions } from "./AppActions.tsx"
import { FilterBar } from "./FilterBar.tsx"
import { Grid } from "./Grid.tsx"
import { type GridSearch, gridOf } from "./recordQueries.ts"
import { TitleSearch } from "./TitleSearch.tsx"
import { ViewPicker } from "./ViewPicker.tsx"
import "./records.css"

const route = getRouteApi("/apps/$appId")

const counted = (total: number, item: string) =>
  `${total.toLocaleString()} ${total === 1 ? `record of ${item}` : "records"}`

export const RecordsPage = () => {
  const appId = Number(route.useParams().appId)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const app = useQuery(appOf(appId))
  const records = useInfiniteQuery(gridOf(appId, search))
  const change = (next: GridSearch) => void navigate({ search: next })
  const total = records.data?.pages[0]?.total
  const filtered = (search.filters ?? []).length > 0 || search.title !== undefined
  return (
    <Page
      title={app.data?.name ?? "App"}
      wide
      trail={<Link to="/apps">Apps</Link>}
      actions={app.data && <AppActions app={app.data} />}
    >
      <Asked query={app} what="the app">
        {(known) => (
          <>
            <div className="tools">
              <ViewPicker app={known} search={search} change={change} />
              <TitleSearch key={appId} search={search} change={change} />
              <FilterBar app={known} search={search} change={change} />
              <output className="muted">{total === undefined ? "" : counted(total, known.name)}</output>
            </div>
            {records.isError ? (
              <Failure what="Loading records failed." error={records.error} again={() => void records.refetch()} />
            ) : records.data === undefined ? (
              <Loading what="records" />
            ) : total === 0 ? (
              <Empty title={filtered || search.view !== undefined ? "No record matches" : "No records yet"}>
                <p className="muted">
                  {filtered
                    ? "Take a condition away, or search for less, to see more."
                    : "Records that are created show up here."}
                </p>
              </Empty>
            ) : (
              <Grid app={known} query={records} search={search} change={change} />
            )}
          </>
        )}
      </Asked>
    </Page>
  )
}
