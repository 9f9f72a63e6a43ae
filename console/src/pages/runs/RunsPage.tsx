// Runs of all automations, newest first, found by what is known of them.
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { BulkActions } from "./BulkActions.tsx"
import { RunFilters } from "./RunFilters.tsx"
import { RunTable } from "./RunTable.tsx"
import { conditionsOf, type RunSearch } from "./runSearch.ts"

const route = getRouteApi("/runs")

const runsOf = (search: RunSearch) =>
  infiniteQueryOptions({
    queryKey: ["runs", "list", search],
    queryFn: ({ pageParam, signal }) => {
      // A cursor brings its conditions with it.
      const pageBody = pageParam === "" ? conditionsOf(search) : { cursor: pageParam }
      return client.automationRuns.list({ body: { limit: 50, ...pageBody } }, { signal })
    },
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    placeholderData: keepPreviousData
  })

export const RunsPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(runsOf(search))
  const change = (next: RunSearch) => void navigate({ search: next, replace: true })
  return (
    <Page wide title="Runs" lead="What automations have done, and what they are at.">
      <RunFilters
        search={search}
        change={change}
        found={query.data === undefined ? "" : `${query.data.pages[0]?.total} found`}
      />
      <BulkActions selection={conditionsOf(search)} total={query.data?.pages[0]?.total ?? 0} />
      <Asked query={query} what="runs">
        {({ pages }) =>
          pages[0]?.total === 0 ? (
            <Empty title="No runs">
              <p className="muted">
                Runs show up here as soon as an automation is triggered. They are kept for 30 days.
              </p>
            </Empty>
          ) : (
            <>
              <RunTable runs={pages.flatMap(({ automation_runs }) => automation_runs)} />
              <ShowMore query={query} shown={pages.flatMap((page) => page.automation_runs).length} what="older runs" />
            </>
          )
        }
      </Asked>
    </Page>
  )
}
