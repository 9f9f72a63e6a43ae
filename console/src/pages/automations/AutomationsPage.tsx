// The automations that the reader may see, as a table; found by name, app, tag and state, all of which stand in the address.
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
import { hasTag } from "./tags/tagChanges.ts"
import { automationTags } from "./tags/tagQueries.ts"
import "./automations.css"
import { automationsPage as texts } from "../../texts/automations/automations.ts"

const route = getRouteApi("/automations")

type State = Automation["status"]

export interface AutomationsSearch {
  readonly name?: string | undefined
  readonly app?: number | undefined
  readonly status?: State | undefined
  readonly tag?: string | undefined
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
  return <Search label={texts.findAnAutomation} value={text} onChange={setText} count={found} />
}

export const AutomationsPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (next: AutomationsSearch) => void navigate({ search: next, replace: true })
  const { app, name, status, tag } = search
  const knownApps = useQuery(apps).data?.apps ?? []
  const knownTags = useQuery(automationTags).data ?? []
  const offeredTags = tag === undefined || hasTag(knownTags, tag) ? knownTags : [tag, ...knownTags]
  const query = useInfiniteQuery({
    queryKey: ["automations", "list", search],
    queryFn: async ({ pageParam, signal }) => {
      const page = {
        limit: PAGE,
        ...(pageParam === "" ? {} : { cursor: pageParam }),
        ...(status === undefined ? {} : { status }),
        ...(name === undefined ? {} : { name }),
        ...(tag === undefined ? {} : { tag })
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
  const narrowed = [app, name, status, tag].some((filter) => filter !== undefined)
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
      title={texts.automations}
      wide
      lead={texts.whatHappensByItself}
      actions={
        mayBuild && (
          <>
            <Link className="button quiet small" to="/automations/import">
              {texts.import}
            </Link>
            <Link className="button small" to="/automations/new">
              {texts.newAutomation}
            </Link>
          </>
        )
      }
    >
      {(narrowed || total !== 0) && (
        <div className="filter-bar">
          <div className="tools">
            <select
              aria-label={texts.state}
              className="short"
              value={status ?? ""}
              onChange={({ target }) => change({ ...search, status: (target.value || undefined) as State | undefined })}
            >
              <option value="">{texts.anyState}</option>
              {Object.entries(automationStates).map(([state, { words }]) => (
                <option key={state} value={state}>
                  {words}
                </option>
              ))}
            </select>
            <ChoiceOfMany
              id="app-filter"
              label={texts.app}
              className="short"
              value={app}
              none={texts.anyApp}
              choices={knownApps.map((one) => [one.app_id, one.name])}
              onChange={(chosenApp) => change({ ...search, app: chosenApp })}
            />
            {offeredTags.length > 0 && (
              <ChoiceOfMany
                id="tag-filter"
                label={texts.tag}
                className="short"
                value={tag === undefined ? undefined : offeredTags.find((one) => hasTag([one], tag))}
                none={texts.anyTag}
                choices={offeredTags.map((one) => [one, one])}
                onChange={(chosenTag) => change({ ...search, tag: chosenTag })}
              />
            )}
          </div>
          <NameSearch search={search} change={change} found={total === undefined ? "" : texts.totalFound(total)} />
        </div>
      )}
      <Asked query={query} failed={texts.loadingAutomationsFailed}>
        {({ pages }) =>
          pages[0]?.automations.length === 0 ? (
            <Empty title={narrowed ? texts.noAutomationIsLikeThat : texts.noAutomationsYet}>
              {!narrowed && !mayBuild && <p>{texts.adminsOfAWorkspaceBuild}</p>}
              {!narrowed && mayBuild && (
                <p>
                  {texts.makeTheFirstOneOrImport(
                    <Link to="/automations/new">{texts.makeTheFirstOne}</Link>,
                    <Link to="/automations/import">{texts.importOneFromAFile}</Link>
                  )}
                </p>
              )}
            </Empty>
          ) : (
            <>
              {order !== undefined && hasNextPage && automations.length >= SORTED_AT_MOST && (
                <p className="note">
                  {texts.firstCountOfTotal(automations.length.toLocaleString(), total?.toLocaleString())}
                </p>
              )}
              <AutomationTable
                automations={automations}
                search={search}
                order={order}
                sortBy={(column) =>
                  setOrder((last) => ({ column, isDescending: last?.column === column && !last.isDescending }))
                }
              />
              {(order === undefined || isComplete) && (
                <ShowMore
                  query={query}
                  shown={automations.length}
                  show={texts.showMoreAutomations}
                  failed={texts.loadingMoreAutomationsFailed}
                />
              )}
            </>
          )
        }
      </Asked>
    </Page>
  )
}
