// Runs as a table: of which automation, how each went, when, for how long, and why it failed or waits.
import { Link } from "@tanstack/react-router"
import { runTable as texts } from "../../texts/runs/runs.ts"
import { duration } from "../../ui/duration.ts"
import { ScrollTable } from "../../ui/ScrollTable.tsx"
import { Time } from "../../ui/Time.tsx"
import { WithSecrets } from "../../ui/WithSecrets.tsx"
import { type Run, StatusTag, waits } from "./runWords.tsx"
import type { RunTicks } from "./useRunTicks.ts"

const Why = ({ run: { error_message, waiting } }: { readonly run: Run }) => {
  if (error_message !== null)
    return (
      <span className="error-line" title={error_message}>
        <WithSecrets text={error_message} />
      </span>
    )
  return waiting === null ? null : <span className="muted">{waits[waiting.why]}</span>
}

interface RunRowProps {
  readonly run: Run
  readonly isTicked: boolean
  readonly tick: RunTicks["tick"]
}
const RunRow = ({ isTicked, run, tick }: RunRowProps) => (
  <tr className="run-row" data-ticked={isTicked || undefined}>
    <td className="tick">
      <input
        type="checkbox"
        aria-label={texts.selectRunIdOfAutomation(run.id, run.automation_name)}
        checked={isTicked}
        onChange={({ nativeEvent, target }) =>
          tick(run.id, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </td>
    <th scope="row">
      <Link to="/runs/$runId" params={{ runId: run.id }} search={{}}>
        {run.automation_name}
      </Link>
      {run.retry_of_run_id === null ? null : (
        <small className="muted"> {texts.retriesRetryOfRunId(run.retry_of_run_id)}</small>
      )}
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

interface RunTableProps {
  readonly runs: ReadonlyArray<Run>
  readonly ticks: RunTicks
}
export const RunTable = ({ runs, ticks }: RunTableProps) => (
  <ScrollTable label={texts.runs} className="runs">
    <thead>
      <tr>
        <td className="tick">
          <input
            type="checkbox"
            aria-label={texts.selectTheRunsBelow}
            checked={ticks.ticked.length > 0 && (ticks.isFull || ticks.ticked.length === runs.length)}
            onChange={({ target }) => ticks.tickAll(target.checked)}
          />
        </td>
        <th scope="col">{texts.automation}</th>
        <th scope="col">{texts.status}</th>
        <th scope="col" className="wide-only">
          {texts.app}
        </th>
        <th scope="col" className="wide-only">
          {texts.record}
        </th>
        <th scope="col">{texts.requested}</th>
        <th scope="col" className="wide-only number">
          {texts.duration}
        </th>
        <th scope="col">{texts.errorOrWhyItWaits}</th>
      </tr>
    </thead>
    <tbody>
      {runs.map((run) => (
        <RunRow key={run.id} run={run} isTicked={ticks.ids.has(run.id)} tick={ticks.tick} />
      ))}
    </tbody>
  </ScrollTable>
)
