// Runs of all automations, newest first, found by what is known of them.
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { duration } from "../../ui/duration.ts"
import { Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { Time, textOf } from "../../ui/Time.tsx"
import { BulkActions } from "./BulkActions.tsx"
import { RunFilters } from "./RunFilters.tsx"
import { type Run, type Status, StatusTag, waits } from "./runWords.tsx"
import { WithSecrets } from "./WithSecrets.tsx"

const route = getRouteApi("/runs")

/** Search parameters in the address. Times are in the reader's zone. */
export interface RunSearch {
  readonly status?: Status | undefined
  readonly record?: number | undefined
  readonly app?: number | undefined
  readonly automation?: number | undefined
  /** The run that caused them. */
  readonly cause?: number | undefined
  readonly error?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const instant = (local: string | undefined) => {
  const date = local === undefined ? undefined : new Date(local)
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : textOf(date)
}

const conditionsOf = ({ app, automation, cause, error, from, record, status, to }: RunSearch) => {
  const [after, before] = [instant(from), instant(to)]
  return {
    ...(status === undefined ? {} : { status }),
    ...(app === undefined ? {} : { app_ids: [app] }),
    ...(record === undefined ? {} : { record_ids: [record] }),
    ...(automation === undefined ? {} : { automation_ids: [automation] }),
    ...(cause === undefined ? {} : { caused_by_run_ids: [String(cause)] }),
    ...(error === undefined ? {} : { error_contains: error }),
    ...(after === undefined ? {} : { created_at_from: after }),
    ...(before === undefined ? {} : { created_at_to: before })
  }
}

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

const RunCard = ({ run }: { readonly run: Run }) => (
  <li className="card run-card">
    <div>
      <h2>
        <Link to="/runs/$runId" params={{ runId: run.id }} search={{}}>
          {run.automation_name}
        </Link>
      </h2>
      <p className="muted">
        {run.app_name} · <Time at={run.created_at} />
        {run.completed_at !== null && ` · ${duration(run.execution_duration_ms)}`}
        {run.triggered_on_record_id !== null && ` · record ${run.triggered_on_record_id}`}
        {run.retry_of_run_id !== null && ` · retries ${run.retry_of_run_id}`}
      </p>
      {run.error_message !== null && (
        <p className="error-line">
          <WithSecrets text={run.error_message} />
        </p>
      )}
      {run.waiting !== null && <p className="muted">{waits[run.waiting.why]}</p>}
    </div>
    <StatusTag status={run.status} />
  </li>
)

export const RunsPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(runsOf(search))
  const change = (next: RunSearch) => void navigate({ search: next, replace: true })
  return (
    <Page title="Runs" lead="What automations have done, and what they are at.">
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
              <ul className="plain">
                {pages
                  .flatMap(({ automation_runs }) => automation_runs)
                  .map((run) => (
                    <RunCard key={run.id} run={run} />
                  ))}
              </ul>
              <ShowMore query={query} shown={pages.flatMap((page) => page.automation_runs).length} what="older runs" />
            </>
          )
        }
      </Asked>
    </Page>
  )
}
