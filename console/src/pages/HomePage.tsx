// The first look: what fails, what waits and why, what is due within a day, and the last day by the hour.

import type { AnswerOf } from "@millrace/client"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { client } from "../api/client.ts"
import { homePage as texts } from "../texts/start/home.ts"
import { HourBars } from "../ui/HourBars.tsx"
import { Page } from "../ui/Page.tsx"
import { Asked } from "../ui/states.tsx"
import { Time } from "../ui/Time.tsx"

/** Loaded on demand: few people need it, for a day. */
const FirstSteps = lazy(() => import("./start/FirstSteps.tsx").then((made) => ({ default: made.FirstSteps })))

type Summary = AnswerOf<"home.summary">

const reasons: Readonly<Record<Summary["waiting"][number]["why"], string>> = texts.reasons

const home = queryOptions({
  queryKey: ["home"],
  queryFn: ({ signal }) => client.home.summary({}, { signal })
})

interface ShelfProps {
  readonly title: string
  /** Text that is shown if the list is empty. */
  readonly nothing: string
  readonly children: ReadonlyArray<ReactNode>
}
const Shelf = ({ title, nothing, children }: ShelfProps) => (
  <section className="card">
    <h2>{title}</h2>
    {children.length === 0 ? <p className="muted">{nothing}</p> : <ul className="shelf">{children}</ul>}
  </section>
)

const times = (count: number, one: string) => `${count.toLocaleString()} ${count === 1 ? one : `${one}s`}`

const Failing = ({ automations }: Summary) => (
  <Shelf title={texts.automationsThatFail} nothing={texts.noneInTheLastDay}>
    {automations.map(({ app_name, automation_id, broken, failed_runs, last_error, last_run_id, name }) => (
      <li key={automation_id}>
        {last_run_id === null ? (
          <strong>{name}</strong>
        ) : (
          <Link to="/runs/$runId" params={{ runId: last_run_id }}>
            {name}
          </Link>
        )}
        <p className="muted">
          {app_name} · {broken ? texts.broken : times(failed_runs, texts.failedRun)}
        </p>
        {last_error !== null && <p className="error-line">{last_error}</p>}
      </li>
    ))}
  </Shelf>
)

const Hooks = ({ hooks }: Summary) => (
  <Shelf title={texts.webhooksThatFail} nothing={texts.none}>
    {hooks.map(({ app_name, failures, hook_id, host, status }) => (
      <li key={hook_id}>
        <Link to="/webhooks/$hookId" params={{ hookId: String(hook_id) }}>
          {host}
        </Link>
        <p className="muted">
          {app_name} · {status === "inactive" ? texts.notVerified : times(failures, texts.failure)}
        </p>
      </li>
    ))}
  </Shelf>
)

const Waiting = ({ waiting }: Summary) => (
  <Shelf title={texts.runsUnderWay} nothing={texts.noRunIsUnderWay}>
    {waiting.map(({ oldest, runs, why }) => (
      <li key={why}>
        <Link to="/runs" search={{ status: "running" }}>
          {times(runs, texts.run)}
        </Link>
        <p className="muted">{texts.reasonTheOldestWasAsked(reasons[why], <Time at={oldest} />)}</p>
      </li>
    ))}
  </Shelf>
)

const Due = ({ due }: Summary) => (
  <Shelf title={texts.dueWithinADay} nothing={texts.noDateOfARecord}>
    {due.map(({ automation_id, due_at, name, record_id, title }) => (
      <li key={`${automation_id} ${record_id} ${due_at}`}>
        <Link to="/records/$recordId" params={{ recordId: String(record_id) }}>
          {title}
        </Link>
        <p className="muted">
          {name} · <Time at={due_at} />
        </p>
      </li>
    ))}
  </Shelf>
)

type Hour = Summary["hours"][number]

const runsOf = ({ from, runs }: Hour) => ({
  from,
  all: runs.completed + runs.failed + runs.cancelled + runs.open,
  bad: runs.failed
})

const deliveriesOf = ({ from, deliveries: { delivered, failed, retrying } }: Hour) => ({
  from,
  all: delivered + failed + retrying,
  bad: failed + retrying
})

export const HomePage = () => {
  const query = useQuery(home)
  return (
    <Page title={texts.home} lead={texts.whatFailsWhatWaits}>
      <Suspense>
        <FirstSteps />
      </Suspense>
      <Asked query={query} failed={texts.loadingTheOverviewFailed}>
        {(summary) => (
          <>
            <div className="columns even">
              <Failing {...summary} />
              <Hooks {...summary} />
              <Waiting {...summary} />
              <Due {...summary} />
            </div>
            <section className="card" aria-labelledby="runs-by-hour">
              <h2 id="runs-by-hour">{texts.runsOfTheLastDay}</h2>
              <HourBars
                title={texts.runsByTheHour}
                words={{ all: texts.runs, bad: texts.failed }}
                hours={summary.hours.map(runsOf)}
              />
            </section>
            <section className="card" aria-labelledby="deliveries-by-hour">
              <h2 id="deliveries-by-hour">{texts.deliveriesOfTheLastDay}</h2>
              <HourBars
                title={texts.deliveriesByTheHour}
                words={{ all: texts.attempts, bad: texts.notDelivered }}
                hours={summary.hours.map(deliveriesOf)}
              />
            </section>
          </>
        )}
      </Asked>
    </Page>
  )
}
