// Runs as a table: of which automation, how each went, when, for how long, and why it failed or waits.
import { Link } from "@tanstack/react-router"
import { duration } from "../../ui/duration.ts"
import { ScrollTable } from "../../ui/ScrollTable.tsx"
import { Time } from "../../ui/Time.tsx"
import { type Run, StatusTag, waits } from "./runWords.tsx"
import { WithSecrets } from "./WithSecrets.tsx"

const Why = ({ run: { error_message, waiting } }: { readonly run: Run }) => {
  if (error_message !== null)
    return (
      <span className="error-line" title={error_message}>
        <WithSecrets text={error_message} />
      </span>
    )
  return waiting === null ? null : <span className="muted">{waits[waiting.why]}</span>
}

const RunRow = ({ run }: { readonly run: Run }) => (
  <tr className="run-row">
    <th scope="row">
      <Link to="/runs/$runId" params={{ runId: run.id }} search={{}}>
        {run.automation_name}
      </Link>
      {run.retry_of_run_id === null ? null : <small className="muted"> retries {run.retry_of_run_id}</small>}
    </th>
    <td>
      <StatusTag status={run.status} />
    </td>
    <td className="wide-only">{run.app_name}</td>
    <td className="wide-only">
      {run.triggered_on_record_id === null ? (
        "–"
      ) : (
        <Link to="/records/$recordId" params={{ recordId: String(run.triggered_on_record_id) }}>
          {run.triggered_on_record_id}
        </Link>
      )}
    </td>
    <td>
      <Time at={run.created_at} />
    </td>
    <td className="wide-only number">{run.completed_at === null ? "–" : duration(run.execution_duration_ms)}</td>
    <td className="why">
      <Why run={run} />
    </td>
  </tr>
)

export const RunTable = ({ runs }: { readonly runs: ReadonlyArray<Run> }) => (
  <ScrollTable label="Runs" className="runs">
    <thead>
      <tr>
        <th scope="col">Automation</th>
        <th scope="col">Status</th>
        <th scope="col" className="wide-only">
          App
        </th>
        <th scope="col" className="wide-only">
          Record
        </th>
        <th scope="col">Requested</th>
        <th scope="col" className="wide-only number">
          Duration
        </th>
        <th scope="col">Error, or why it waits</th>
      </tr>
    </thead>
    <tbody>
      {runs.map((run) => (
        <RunRow key={run.id} run={run} />
      ))}
    </tbody>
  </ScrollTable>
)
