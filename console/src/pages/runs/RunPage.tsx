// Shows a run: its status and why, what belongs to it, and its steps.

import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { runPage as texts } from "../../texts/runs/run.ts"
import { DocsLink } from "../../ui/DocsLink.tsx"
import { duration } from "../../ui/duration.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { RunActions } from "./RunActions.tsx"
import { Retries, RunChain } from "./RunChain.tsx"
import { RunItem } from "./RunItem.tsx"
import { RunSteps } from "./RunSteps.tsx"
import { failedStepOf, runOf } from "./runQueries.ts"
import { type RunWithLogs, StatusTag, waits } from "./runWords.tsx"

const route = getRouteApi("/runs/$runId")

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="field-row">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const RunLink = ({ id }: { readonly id: string }) => (
  <Link to="/runs/$runId" params={{ runId: id }} search={{}}>
    {texts.runId(id)}
  </Link>
)

const Facts = ({ run }: { readonly run: RunWithLogs }) => (
  <section className="card" aria-label={texts.aboutThisRun}>
    <dl className="fields">
      <Fact name={texts.status}>
        <StatusTag status={run.status} />
      </Fact>
      <Fact name={texts.app}>
        <Link to="/apps/$appId" params={{ appId: String(run.app_id) }} search={{}}>
          {run.app_name}
        </Link>
      </Fact>
      {run.triggered_on_record_id !== null && (
        <Fact name={texts.record}>
          <Link to="/records/$recordId" params={{ recordId: String(run.triggered_on_record_id) }}>
            {texts.recordTriggeredOnRecordId(run.triggered_on_record_id)}
          </Link>
        </Fact>
      )}
      <Fact name={texts.requested}>
        <Time at={run.created_at} seconds />
      </Fact>
      {run.completed_at !== null && (
        <Fact name={texts.finished}>
          <Time at={run.completed_at} seconds />
        </Fact>
      )}
      <Fact name={texts.duration}>{duration(run.execution_duration_ms)}</Fact>
      {run.waiting_duration_ms > 0 && <Fact name={texts.waitingTime}>{duration(run.waiting_duration_ms)}</Fact>}
      {run.retry_of_run_id !== null && (
        <Fact name={texts.retries}>
          <RunLink id={run.retry_of_run_id} />
        </Fact>
      )}
      {run.caused_by_run_id !== undefined && (
        <Fact name={texts.causedBy}>
          <RunLink id={run.caused_by_run_id} />
        </Fact>
      )}
      <Fact name={texts.automation}>
        <Link to="/automations/$automationId" params={{ automationId: String(run.automation_id) }}>
          {run.automation_name}
        </Link>
      </Fact>
      {run.temporal_url !== undefined && (
        <Fact name={texts.workflow}>
          <a href={run.temporal_url} target="_blank" rel="noopener noreferrer">
            {texts.openInTemporal}
          </a>
        </Fact>
      )}
    </dl>
  </section>
)

/** Names the step at which the run failed, and opens it with the run's data. */
const Failed = ({ run }: { readonly run: RunWithLogs }) => {
  const step = useQuery(failedStepOf(run.id)).data
  return (
    <div className="note bad">
      <p>
        {step != null && <strong>{texts.labelFailed(step.label)} </strong>}
        {run.error_message} <DocsLink to="troubleshooting#a-run-failed">{texts.whatToDoAbout}</DocsLink>
      </p>
      {step != null && (
        <p>
          <Link
            to="/automations/$automationId/edit"
            params={{ automationId: String(run.automation_id) }}
            search={{ run: run.id, step: step.id }}
          >
            {texts.openTheStep}
          </Link>
        </p>
      )}
    </div>
  )
}

const Standing = ({ run }: { readonly run: RunWithLogs }) => {
  if (run.waiting !== null)
    return (
      <div className="note warn" role="status">
        <p>
          {waits[run.waiting.why]} {run.waiting.label !== null && <>{texts.itStandsAtLabel(run.waiting.label)} </>}
          {run.waiting.until !== null && texts.itGoesOnTime(<Time at={run.waiting.until} />)}
        </p>
      </div>
    )
  if (run.error_message === null) return null
  if (run.status === "failed") return <Failed run={run} />
  return (
    <div className="note">
      <p>{run.error_message}</p>
    </div>
  )
}

export const RunPage = () => {
  const { runId } = route.useParams()
  const { item, loop } = route.useSearch()
  const query = useQuery(runOf(runId))
  const run = query.data
  return (
    <Page
      title={run?.automation_name ?? texts.run}
      trail={
        <>
          <Link to="/runs" search={{}}>
            {texts.runs}
          </Link>{" "}
          › {runId}
        </>
      }
      actions={run !== undefined && <RunActions run={run} />}
    >
      <Asked query={query} failed={texts.loadingTheRunFailed}>
        {(known) => (
          <>
            <Standing run={known} />
            <Retries runId={runId} />
            <div className="columns">
              {loop !== undefined && item !== undefined ? (
                <div>
                  <RunItem runId={runId} loop={loop} iteration={item} />
                </div>
              ) : (
                <RunSteps runId={runId} />
              )}
              <div>
                <Facts run={known} />
                <RunChain run={known} />
              </div>
            </div>
          </>
        )}
      </Asked>
    </Page>
  )
}
