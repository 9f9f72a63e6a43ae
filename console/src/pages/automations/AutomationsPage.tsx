// The automations that the reader may see, as a table; found by name, app and state, all of which stand in the address.
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useEffect, useMemo, useState } from "react"
import { client } from "../../api/client.ts"
import { apps } from "../../api/queries.ts"
import { ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"
import { Page } from "../../ui/Page.tsx"
import { Search } from "../../ui/Search.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { useTyped } from "../../ui/useTyped.ts"
import { administered } from "../apps/appQueries.ts"
import { AutomationTable } from "./AutomationTable.tsx"
import type { Automation, Order } from "./automationRows.ts"
import { automationStates } from "./automationStates.ts"
import "./automations.css"

const route = getRouteApi("/automations")

type State = Automation["status"]

export interface AutomationsSearch {
  readonly name?: string | undefined
  readonly app?: number | undefined
  readonly status?: State | undefined
}

const PAGE = 100
/** A sort loads so many; beyond that it says what it has sorted. */
const SORTED_AT_MOST = 1_000

const NameSearch = ({
  search,
  change,
  found
}: {
  readonly search: AutomationsSearch
  readonly change: (next: AutomationsSearch) => void
  readonly found: string
}) => {
  const [text, setText] = useTyped(search.name, (name) => change({ ...search, name }))
  return <Search label="Find an automation" value={text} onChange={setText} count={found} />
}

export const AutomationsPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (next: AutomationsSearch) => void navigate({ search: next, replace: true })
  const { app, name, status } = search
  const knownApps = useQuery(apps).data?.apps ?? []
  const query = useInfiniteQuery({
    queryKey: ["automations", "list", search],
    queryFn: async ({ pageParam, signal }) => {
      const page = {
        limit: PAGE,
        ...(pageParam === "" ? {} : { cursor: pageParam }),
        ...(status === undefined ? {} : { status }),
        ...(name === undefined ? {} : { name })
      }
      return app === undefined
        ? client.automations.listOrg(page, { signal })
        : client.automations.listApp({ app_id: app, ...page }, { signal })
    },
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    placeholderData: keepPreviousData
  })
  const mayBuild = (useQuery(administered).data?.apps ?? []).length > 0
  const narrowed = app !== undefined || name !== undefined || status !== undefined
  const total = query.data?.pages[0]?.total
  const automations = useMemo(() => query.data?.pages.flatMap((page) => page.automations) ?? [], [query.data])
  const [order, setOrder] = useState<Order>()
  const { fetchNextPage, hasNextPage, isFetching, isFetchNextPageError } = query
  const isComplete = !hasNextPage || automations.length >= SORTED_AT_MOST
  useEffect(() => {
    if (order !== undefined && !isComplete && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [fetchNextPage, isComplete, isFetchNextPageError, isFetching, order])
  return (
    <Page
      title="Automations"
      wide
      lead="What happens by itself when records change, dates arrive or somebody calls."
      actions={
        mayBuild && (
          <>
            <Link className="button quiet small" to="/automations/import">
              Import
            </Link>
            <Link className="button small" to="/automations/new">
              New automation
            </Link>
          </>
        )
      }
    >
      {(narrowed || total !== 0) && (
        <div className="filter-bar">
          <div className="tools">
            <select
              aria-label="State"
              className="short"
              value={status ?? ""}
              onChange={({ target }) => change({ ...search, status: (target.value || undefined) as State | undefined })}
            >
              <option value="">Any state</option>
              {Object.entries(automationStates).map(([state, { words }]) => (
                <option key={state} value={state}>
                  {words}
                </option>
              ))}
            </select>
            <ChoiceOfMany
              id="app-filter"
              label="App"
              className="short"
              value={app}
              none="Any app"
              choices={knownApps.map((one) => [one.app_id, one.name])}
              onChange={(chosenApp) => change({ ...search, app: chosenApp })}
            />
          </div>
          <NameSearch search={search} change={change} found={total === undefined ? "" : `${total} found`} />
        </div>
      )}
      <Asked query={query} what="automations">
        {({ pages }) =>
          pages[0]?.automations.length === 0 ? (
            <Empty title={narrowed ? "No automation is like that" : "No automations yet"}>
              {!narrowed && !mayBuild && <p>Admins of a workspace build its automations.</p>}
              {!narrowed && mayBuild && (
                <p>
                  <Link to="/automations/new">Make the first one</Link>, or{" "}
                  <Link to="/automations/import">import one from a file</Link>.
                </p>
              )}
            </Empty>
          ) : (
            <>
              {order !== undefined && hasNextPage && automations.length >= SORTED_AT_MOST && (
                <p className="note">
                  The first {automations.length.toLocaleString()} of {total?.toLocaleString()} are sorted. Find fewer by
                  name, app or state.
                </p>
              )}
              <AutomationTable
                automations={automations}
                order={order}
                sortBy={(column) =>
                  setOrder((last) => ({ column, isDescending: last?.column === column && !last.isDescending }))
                }
              />
              {(order === undefined || isComplete) && (
                <ShowMore query={query} shown={automations.length} what="more automations" />
              )}
            </>
          )
        }
      </Asked>
    </Page>
  )
}
