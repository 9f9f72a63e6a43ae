// The first look: what fails, what waits and why, what is due within a day, and the last day by the hour.

import type { AnswerOf } from "@millrace/client"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { client } from "../api/client.ts"
import { HourBars } from "../ui/HourBars.tsx"
import { Page } from "../ui/Page.tsx"
import { Asked } from "../ui/states.tsx"
import { Time } from "../ui/Time.tsx"

/** Loaded on demand: few people need it, for a day. */
const FirstSteps = lazy(() => import("./start/FirstSteps.tsx").then((made) => ({ default: made.FirstSteps })))

type Summary = AnswerOf<"home.summary">

const reasons: Readonly<Record<Summary["waiting"][number]["why"], string>> = {
  running: "At work.",
  delay: "Waiting in a delay.",
  place: "Waiting for a free place.",
  credits: "Waiting for credits.",
  retry: "Waiting to try a failed step again.",
  called_run: "Waiting for runs that they have called.",
  concurrency: "Waiting for other runs of their automation.",
  debounce: "Waiting for further changes of their record."
}

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
  <Shelf title="Automations that fail" nothing="None in the last day.">
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
          {app_name} · {broken ? "broken" : times(failed_runs, "failed run")}
        </p>
        {last_error !== null && <p className="error-line">{last_error}</p>}
      </li>
    ))}
  </Shelf>
)

const Hooks = ({ hooks }: Summary) => (
  <Shelf title="Webhooks that fail" nothing="None.">
    {hooks.map(({ app_name, failures, hook_id, host, status }) => (
      <li key={hook_id}>
        <Link to="/webhooks/$hookId" params={{ hookId: String(hook_id) }}>
          {host}
        </Link>
        <p className="muted">
          {app_name} · {status === "inactive" ? "not verified" : times(failures, "failure")}
        </p>
      </li>
    ))}
  </Shelf>
)

const Waiting = ({ waiting }: Summary) => (
  <Shelf title="Runs under way" nothing="No run is under way.">
    {waiting.map(({ oldest, runs, why }) => (
      <li key={why}>
        <Link to="/runs" search={{ status: "running" }}>
          {times(runs, "run")}
        </Link>
        <p className="muted">
          {reasons[why]} The oldest was asked for <Time at={oldest} />.
        </p>
      </li>
    ))}
  </Shelf>
)

const Due = ({ due }: Summary) => (
  <Shelf title="Due within a day" nothing="No date of a record starts an automation today.">
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
    <Page title="Home" lead="What fails, what waits and what is due, of the apps that you administer.">
      <Suspense>
        <FirstSteps />
      </Suspense>
      <Asked query={query} what="the first look">
        {(summary) => (
          <>
            <div className="columns even">
              <Failing {...summary} />
              <Hooks {...summary} />
              <Waiting {...summary} />
              <Due {...summary} />
            </div>
            <section className="card" aria-labelledby="runs-by-hour">
              <h2 id="runs-by-hour">Runs of the last day, by the hour</h2>
              <HourBars
                title="Runs by the hour"
                words={{ all: "Runs", bad: "Failed" }}
                hours={summary.hours.map(runsOf)}
              />
            </section>
            <section className="card" aria-labelledby="deliveries-by-hour">
              <h2 id="deliveries-by-hour">Deliveries of the last day, by the hour</h2>
              <HourBars
                title="Deliveries by the hour"
                words={{ all: "Attempts", bad: "Not delivered" }}
                hours={summary.hours.map(deliveriesOf)}
              />
            </section>
          </>
        )}
      </Asked>
    </Page>
  )
}
