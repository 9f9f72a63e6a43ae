// Shows the organization's usage of its limits: actions of automations by the hour, mails, files; and how much there is of everything
// (decisions P2).
import type { AnswerOf } from "@millrace/client"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { client } from "../../api/client.ts"
import { HourBars } from "../../ui/HourBars.tsx"
import { Asked } from "../../ui/states.tsx"
import { AdminPage } from "./AdminPage.tsx"

type Usage = AnswerOf<"usage.ofOrganization">

const usage = queryOptions({
  queryKey: ["usage"],
  queryFn: ({ signal }) => client.usage.ofOrganization({}, { signal })
})

const formatCount = (count: number) => count.toLocaleString()
const megabytes = (bytes: number) =>
  `${(bytes / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: bytes < 10_000_000 ? 1 : 0 })} MB`

interface ShareProps {
  readonly what: string
  readonly used: number
  readonly limit: number
  readonly told?: (amount: number) => string
  /** Says what happens when all of it is used. */
  readonly then: string
}

/** High from four fifths on. */
const Share = ({ limit, then, told = formatCount, used, what }: ShareProps) => {
  const id = useId()
  const full = used >= limit
  return (
    <div className="share">
      <span id={id}>{what}</span>
      <meter aria-labelledby={id} min={0} max={Math.max(1, limit)} high={limit * 0.8} optimum={0} value={used} />
      <span className={full ? "wrong" : "muted"}>
        {told(used)} of {told(limit)}
        {full && `. ${then}`}
      </span>
    </div>
  )
}

const counts = [
  ["Apps", "apps"],
  ["Records", "records"],
  ["Automations", "automations"],
  ["Webhooks", "hooks"],
  ["People", "users"]
] as const satisfies ReadonlyArray<readonly [string, keyof Usage]>

const UsageOf = ({ shown }: { readonly shown: Usage }) => (
  <>
    <section className="card" aria-labelledby="shares">
      <h2 id="shares">Shares</h2>
      <Share
        what="Actions of automations, this hour"
        used={shown.actions.used}
        limit={shown.actions.limit}
        then="New runs wait until the next hour."
      />
      <Share
        what="Mails, the last 24 hours"
        used={shown.mails.used}
        limit={shown.mails.limit}
        then="Steps that send mail fail until some of them are a day old."
      />
      <Share
        what="Files"
        used={shown.storage.used_bytes}
        limit={shown.storage.limit_bytes}
        told={megabytes}
        then="No more files are taken."
      />
    </section>
    <section className="card" aria-labelledby="actions-by-hour">
      <h2 id="actions-by-hour">Actions of the last day, by the hour</h2>
      <HourBars
        title="Actions by the hour"
        words={{ all: "Actions" }}
        hours={shown.actions.hours.map(({ from, used }) => ({ from, all: used, bad: 0 }))}
      />
    </section>
    <section className="card" aria-labelledby="how-much">
      <h2 id="how-much">How much there is</h2>
      <dl className="figures">
        {counts.map(([text, key]) => (
          <div key={key}>
            <dt>{text}</dt>
            <dd>{formatCount(shown[key])}</dd>
          </div>
        ))}
      </dl>
    </section>
  </>
)

const Loaded = () => (
  <Asked query={useQuery(usage)} what="what the organization uses">
    {(shown) => <UsageOf shown={shown} />}
  </Asked>
)

export const UsagePage = () => <AdminPage at="/admin/usage">{() => <Loaded />}</AdminPage>
