// Runs of all automations, newest first, found by what is known of them.
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useMemo } from "react"
import { client } from "../../api/client.ts"
import { runsPage as texts } from "../../texts/runs/runs.ts"
import { Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { BulkActions } from "./BulkActions.tsx"
import { RunFilters } from "./RunFilters.tsx"
import { RunTable } from "./RunTable.tsx"
import { conditionsOf, type RunSearch } from "./runSearch.ts"
import { useRunTicks } from "./useRunTicks.ts"

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
  const runs = useMemo(() => query.data?.pages.flatMap((page) => page.automation_runs) ?? [], [query.data])
  const ticks = useRunTicks(runs, JSON.stringify(search))
  const change = (next: RunSearch) => void navigate({ search: next, replace: true })
  return (
    <Page wide title={texts.runs} lead={texts.whatAutomationsHaveDone}>
      <RunFilters
        search={search}
        change={change}
        found={query.data === undefined ? "" : texts.totalFound(query.data.pages[0]?.total)}
      />
      <BulkActions filters={conditionsOf(search)} total={query.data?.pages[0]?.total ?? 0} ticks={ticks} />
      <Asked query={query} failed={texts.loadingRunsFailed}>
        {({ pages }) =>
          pages[0]?.total === 0 ? (
            <Empty title={texts.noRuns}>
              <p className="muted">{texts.runsShowUpHere}</p>
            </Empty>
          ) : (
            <>
              <RunTable runs={runs} ticks={ticks} />
              <ShowMore
                query={query}
                shown={runs.length}
                show={texts.showOlderRuns}
                failed={texts.loadingOlderRunsFailed}
              />
            </>
          )
        }
      </Asked>
    </Page>
  )
}
