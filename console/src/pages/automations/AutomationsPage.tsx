// The automations that the reader may see: their state, how their last run went, how many of the newest have failed; found by name, app and
// state, all of which stand in the address.
import type { AnswerOf, ItemOf } from "@millrace/client"
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { apps } from "../../api/queries.ts"
import { Page } from "../../ui/Page.tsx"
import { Search } from "../../ui/Search.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import { useTyped } from "../../ui/useTyped.ts"
import { administered } from "../apps/appQueries.ts"
import { StatusTag } from "../runs/runWords.tsx"
import { automationStates } from "./automationStates.ts"
import "./automations.css"

const route = getRouteApi("/automations")

type Automation = ItemOf<"automations.listOrg">
type Summary = AnswerOf<"automationRuns.summary">["summaries"][number]
type State = Automation["status"]

export interface AutomationsSearch {
  readonly name?: string | undefined
  readonly app?: number | undefined
  readonly status?: State | undefined
}

const PAGE = 50

const Fared = ({ summary }: { readonly summary: Summary | undefined }) => {
  if (summary === undefined) return null
  if (summary.last_run === undefined) return <p className="muted">It has not run yet.</p>
  const finishedCount = summary.completed + summary.failed
  return (
    <p className="fared">
      <StatusTag status={summary.last_run.status} /> <Time at={summary.last_run.created_at} />
      {finishedCount > 0 && (
        <span className={summary.failed > 0 ? "error-line" : "muted"}>
          {summary.failed === 0
            ? `none of the last ${finishedCount} failed`
            : `${summary.failed} of the last ${finishedCount} failed (${Math.round((100 * summary.failed) / finishedCount)} %)`}
        </span>
      )}
      {summary.failed > 0 && (
        <Link className="above" to="/runs" search={{ automation: summary.automation_id, status: "failed" }}>
          Failed runs
        </Link>
      )}
    </p>
  )
}

/** Shows a page of the listing. The outcomes of its automations' runs are a query of their own, repeated whenever a run changes. */
const Rows = ({ automations }: { readonly automations: ReadonlyArray<Automation> }) => {
  const automation_ids = automations.map(({ id }) => id)
  const { data } = useQuery({
    queryKey: ["runs", "summary", automation_ids],
    queryFn: ({ signal }) => client.automationRuns.summary({ body: { automation_ids } }, { signal }),
    enabled: automation_ids.length > 0
  })
  const knownApps = useQuery(apps).data?.apps ?? []
  return automations.map(({ app_id, id, name, status }) => (
    <li key={id} className="card run-card">
      <div>
        <h2>
          <Link to="/automations/$automationId" params={{ automationId: String(id) }}>
            {name}
          </Link>
        </h2>
        <p className="muted">{knownApps.find((app) => app.app_id === app_id)?.name}</p>
        <Fared summary={data?.summaries.find(({ automation_id }) => automation_id === id)} />
      </div>
      <Tag tone={automationStates[status].tone}>{automationStates[status].words}</Tag>
    </li>
  ))
}

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
  return (
    <Page
      title="Automations"
      lead="What happens by itself when records change, dates arrive or somebody calls."
      actions={
        mayBuild && (
          <>
            <Link className="button small" to="/automations/new">
              New automation
            </Link>
            <Link className="button quiet small" to="/automations/import">
              Import
            </Link>
          </>
        )
      }
    >
      {(narrowed || total !== 0) && (
        <>
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
            <select
              aria-label="App"
              className="short"
              value={app ?? ""}
              onChange={({ target }) => change({ ...search, app: Number(target.value) || undefined })}
            >
              <option value="">Any app</option>
              {knownApps.map((one) => (
                <option key={one.app_id} value={one.app_id}>
                  {one.name}
                </option>
              ))}
            </select>
          </div>
          <NameSearch search={search} change={change} found={total === undefined ? "" : `${total} found`} />
        </>
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
              <ul className="plain">
                {pages.map(({ automations }) => (
                  <Rows key={automations[0]?.id} automations={automations} />
                ))}
              </ul>
              <ShowMore
                query={query}
                shown={pages.flatMap((page) => page.automations).length}
                what="more automations"
              />
            </>
          )
        }
      </Asked>
    </Page>
  )
}
