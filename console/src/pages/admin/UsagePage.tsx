// Shows the organization's usage of its limits: actions of automations by the hour, mails, files; and how much there is of everything
// (decisions P2).
import type { AnswerOf } from "@millrace/client"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { client } from "../../api/client.ts"
import { usagePage as texts } from "../../texts/admin/admin.ts"
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
  texts.bytesMb((bytes / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: bytes < 10_000_000 ? 1 : 0 }))

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
      <span className={full ? "wrong" : "muted"}>{texts.toldOfTold(told(used), told(limit), full && `. ${then}`)}</span>
    </div>
  )
}

const counts = [
  [texts.apps, "apps"],
  [texts.records, "records"],
  [texts.automations, "automations"],
  [texts.webhooks, "hooks"],
  [texts.people, "users"]
] as const satisfies ReadonlyArray<readonly [string, keyof Usage]>

const UsageOf = ({ shown }: { readonly shown: Usage }) => (
  <>
    <section className="card" aria-labelledby="shares">
      <h2 id="shares">{texts.shares}</h2>
      <Share
        what={texts.actionsOfAutomationsThisHour}
        used={shown.actions.used}
        limit={shown.actions.limit}
        then={texts.newRunsWaitUntil}
      />
      <Share
        what={texts.mailsTheLast24Hours}
        used={shown.mails.used}
        limit={shown.mails.limit}
        then={texts.stepsThatSendMailFail}
      />
      <Share
        what={texts.files}
        used={shown.storage.used_bytes}
        limit={shown.storage.limit_bytes}
        told={megabytes}
        then={texts.noMoreFilesAreTaken}
      />
    </section>
    <section className="card" aria-labelledby="actions-by-hour">
      <h2 id="actions-by-hour">{texts.actionsOfTheLastDay}</h2>
      <HourBars
        title={texts.actionsByTheHour}
        words={{ all: texts.actions }}
        hours={shown.actions.hours.map(({ from, used }) => ({ from, all: used, bad: 0 }))}
      />
    </section>
    <section className="card" aria-labelledby="how-much">
      <h2 id="how-much">{texts.howMuchThereIs}</h2>
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
  <Asked query={useQuery(usage)} failed={texts.loadingTheUsageFailed}>
    {(shown) => <UsageOf shown={shown} />}
  </Asked>
)

export const UsagePage = () => <AdminPage at="/admin/usage">{() => <Loaded />}</AdminPage>
