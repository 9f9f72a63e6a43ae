// Runs of all automations, newest first, found by how they ended and by what their error says.
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useDeferredValue, useState } from "react"
import { client } from "../../api/client.ts"
import { duration } from "../../ui/duration.ts"
import { Page } from "../../ui/Page.tsx"
import { Search } from "../../ui/Search.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { type Run, type Status, StatusTag, statuses, waits } from "./runWords.tsx"

const route = getRouteApi("/runs")

export interface RunSearch {
  readonly status?: Status | undefined
  readonly record?: number | undefined
  readonly automation?: number | undefined
}

const runsOf = ({ automation, record, status }: RunSearch, error: string) =>
  infiniteQueryOptions({
    queryKey: ["runs", { automation, record, status, error }],
    queryFn: ({ pageParam, signal }) => {
      // A cursor brings its conditions with it.
      const asked =
        pageParam !== ""
          ? { cursor: pageParam }
          : {
              ...(status === undefined ? {} : { status }),
              ...(record === undefined ? {} : { record_ids: [record] }),
              ...(automation === undefined ? {} : { automation_ids: [automation] }),
              ...(error === "" ? {} : { error_contains: error })
            }
      return client.automationRuns.list({ body: { limit: 50, ...asked } }, { signal })
    },
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor ?? undefined
  })

const RunCard = ({ run }: { readonly run: Run }) => (
  <li className="card run-card">
    <div>
      <h2>
        <Link to="/runs/$runId" params={{ runId: run.id }}>
          {run.automation_name}
        </Link>
      </h2>
      <p className="muted">
        {run.app_name} · <Time at={run.created_at} />
        {run.completed_at !== null && ` · ${duration(run.execution_duration_ms)}`}
        {run.triggered_on_record_id !== null && ` · record ${run.triggered_on_record_id}`}
      </p>
      {run.error_message !== null && <p className="error-line">{run.error_message}</p>}
      {run.waiting !== null && <p className="muted">{waits[run.waiting.why]}</p>}
    </div>
    <StatusTag status={run.status} />
  </li>
)

export const RunsPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [error, setError] = useState("")
  const query = useInfiniteQuery(runsOf(search, useDeferredValue(error.trim())))
  const { record: _, automation: __, ...everything } = search
  const narrowed = search.record !== undefined || search.automation !== undefined
  return (
    <Page title="Runs" lead="What automations have done, and what they are at.">
      <div className="tools">
        <label className="unseen" htmlFor="status">
          Status
        </label>
        <select
          id="status"
          className="short"
          value={search.status ?? ""}
          onChange={({ target }) =>
            void navigate({
              search: ({ status: ___, ...rest }) =>
                target.value === "" ? rest : { ...rest, status: target.value as Status }
            })
          }
        >
          <option value="">Any status</option>
          {Object.entries(statuses).map(([status, words]) => (
            <option key={status} value={status}>
              {words}
            </option>
          ))}
        </select>
        {narrowed && (
          <span className="chip">
            {search.record !== undefined ? `of record ${search.record}` : `of automation ${search.automation}`}
            <button
              type="button"
              aria-label="Show runs of everything"
              onClick={() => void navigate({ search: everything })}
            >
              ×
            </button>
          </span>
        )}
      </div>
      <Search
        label="Find a part of an error"
        value={error}
        onChange={setError}
        count={query.data === undefined ? "" : `${query.data.pages[0]?.total} found`}
      />
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
              <ul className="plain">
                {pages
                  .flatMap(({ automation_runs }) => automation_runs)
                  .map((run) => (
                    <RunCard key={run.id} run={run} />
                  ))}
              </ul>
              {query.hasNextPage && (
                <button
                  type="button"
                  className="quiet"
                  disabled={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Show older runs
                </button>
              )}
            </>
          )
        }
      </Asked>
    </Page>
  )
}
