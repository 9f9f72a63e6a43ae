// The chain of a run as a tree: what it began with, what caused what, where this run stands in it; and the runs that retry this one.
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { runChain as texts } from "../../texts/runs/run.ts"
import { type Run, type RunWithLogs, StatusTag } from "./runWords.tsx"

/** The newest of a chain; a loop may have called thousands. */
const SHOWN = 200

const RunLine = ({ current, run }: { readonly current: string; readonly run: Run }) => (
  <span className="chain-line">
    {run.id === current ? (
      <strong aria-current="page">{run.automation_name}</strong>
    ) : (
      <Link to="/runs/$runId" params={{ runId: run.id }} search={{}}>
        {run.automation_name}
      </Link>
    )}{" "}
    <small>{run.id}</small> <StatusTag status={run.status} />
  </span>
)

interface BranchProps {
  readonly current: string
  readonly runs: ReadonlyArray<Run>
  readonly under: (run: Run) => ReadonlyArray<Run>
}
const Branch = ({ current, runs, under }: BranchProps) => (
  <ul className="chain">
    {runs.map((run) => {
      const inside = under(run)
      return (
        <li key={run.id}>
          <RunLine current={current} run={run} />
          {inside.length > 0 && <Branch current={current} runs={inside} under={under} />}
        </li>
      )
    })}
  </ul>
)

export const RunChain = ({ run }: { readonly run: RunWithLogs }) => {
  const chain = run.chain_run_id
  const query = useQuery({
    queryKey: ["runs", "chain", chain],
    enabled: chain !== undefined,
    queryFn: ({ signal }) =>
      client.automationRuns.list({ body: { chain_run_ids: [chain ?? run.id], limit: SHOWN } }, { signal })
  })
  if (query.data === undefined || query.data.automation_runs.length < 2) return null
  const runs = [...query.data.automation_runs].reverse()
  const knownRunIds = new Set(runs.map(({ id }) => id))
  const findCausedRuns = (one: Run) => runs.filter((other) => other.caused_by_run_id === one.id)
  const roots = runs.filter(({ caused_by_run_id: by }) => by === undefined || !knownRunIds.has(by))
  return (
    <section className="card" aria-labelledby="chain">
      <h2 id="chain">{texts.itsChain}</h2>
      <Branch current={run.id} runs={roots} under={findCausedRuns} />
      {query.data.total > runs.length && (
        <p className="muted">{texts.newestCountOfTotal(runs.length, query.data.total.toLocaleString())}</p>
      )}
    </section>
  )
}

export const Retries = ({ runId }: { readonly runId: string }) => {
  const { data } = useQuery({
    queryKey: ["runs", "retries", runId],
    queryFn: ({ signal }) => client.automationRuns.list({ body: { retry_of_run_ids: [runId], limit: 20 } }, { signal })
  })
  if (data === undefined || data.automation_runs.length === 0) return null
  return (
    <div className="note" role="status">
      <p>{texts.retriedBy}</p>
      <ul className="plain">
        {data.automation_runs.map((run) => (
          <li key={run.id}>
            <Link to="/runs/$runId" params={{ runId: run.id }} search={{}}>
              {texts.runId(run.id)}
            </Link>{" "}
            <StatusTag status={run.status} />
          </li>
        ))}
      </ul>
    </div>
  )
}
