// The revisions of an automation: who saved which and when, what each has changed, in words and side by side, and the way back to it.

import type { AnswerOf } from "@millrace/client"
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { type Change, shown, stepsOf, wordsOf } from "./changeWords.ts"
import { useLabels } from "./useLabels.ts"
import "./automations.css"

const route = getRouteApi("/automations/$automationId/revisions")
const PAGE = 30

type Revision = AnswerOf<"automations.revisions">["revisions"][number]

const Side = ({ name, value }: { readonly name: "Before" | "After"; readonly value: unknown }) =>
  value === undefined ? null : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <pre className={name.toLowerCase()} tabIndex={0}>
      <span className="unseen">{name}: </span>
      {shown(value)}
    </pre>
  )

const ChangeRow = ({ change, nameOf }: { readonly change: Change; readonly nameOf: (id: string) => string }) => (
  <li className="change">
    <p>{wordsOf(change, nameOf)}</p>
    {change.kind !== "moved" && (
      <div className="sides">
        <Side name="Before" value={change.before} />
        <Side name="After" value={change.after} />
      </div>
    )}
  </li>
)

interface PairProps {
  readonly automationId: number
  readonly from: Revision
  readonly to: Revision
}
/** Lists the changes from one revision to the other. */
const Differences = ({ automationId, from, to }: PairProps) => {
  const label = useLabels()
  const query = useQuery({
    queryKey: ["automation", automationId, "diff", from.id, to.id],
    queryFn: ({ signal }) =>
      client.automations.revisionDiff({ automation_id: automationId, from_id: from.id, to_id: to.id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY
  })
  const [were, are] = [stepsOf(from.actions), stepsOf(to.actions)]
  const nameOf = (id: string) => {
    const step = are.get(id) ?? were.get(id)
    return step === undefined ? id : (step.custom_name ?? label(step.type))
  }
  return (
    <Asked query={query} what="the differences">
      {({ differences }) => {
        if (from.name !== to.name || differences.length > 0)
          return (
            <ul className="plain">
              {differences.map((change) => (
                <ChangeRow key={`${change.kind} ${change.path}`} change={change} nameOf={nameOf} />
              ))}
            </ul>
          )
        return <p className="muted">Trigger, filter and steps are the same: something beside them was saved.</p>
      }}
    </Asked>
  )
}

const Restore = ({ automationId, revision }: { readonly automationId: number; readonly revision: Revision }) => {
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const restore = useMutation({
    mutationFn: () => client.automations.restore({ automation_id: automationId, revision_id: revision.id }),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ["automation", automationId] }),
        queries.invalidateQueries({ queryKey: ["automations"] })
      ])
      await navigate({ search: {} })
    }
  })
  return (
    <>
      <Confirm
        label="Restore this version"
        title={`Restore version ${revision.version}?`}
        yes="Restore it"
        busy={restore.isPending}
        onYes={() => restore.mutate()}
      >
        <p>
          Its name, trigger, filter and steps become the present ones, as a new version: nothing of the history is lost.
          You are the owner from then on, and its runs work with your rights. Runs that are under way go on as they
          began.
        </p>
      </Confirm>
      {restore.isError && <Failure what="It was not restored." error={restore.error} />}
    </>
  )
}

interface ChosenProps {
  readonly automationId: number
  readonly revision: Revision
  readonly before: Revision | undefined
  readonly present: Revision
}
const Chosen = ({ automationId, before, present, revision }: ChosenProps) => (
  <section className="card" aria-labelledby="changed">
    <div className="head">
      <h2 id="changed">What version {revision.version} changed</h2>
      {revision.id !== present.id && <Restore automationId={automationId} revision={revision} />}
    </div>
    {before === undefined ? (
      <p className="muted">
        It is the first one, with {revision.actions.length === 1 ? "one step" : `${revision.actions.length} steps`}.
      </p>
    ) : (
      <Differences automationId={automationId} from={before} to={revision} />
    )}
    {revision.id !== present.id && (
      <details>
        <summary>What restoring it would change</summary>
        <Differences automationId={automationId} from={present} to={revision} />
      </details>
    )}
  </section>
)

export const RevisionsPage = () => {
  const automationId = Number(route.useParams().automationId)
  const { version } = route.useSearch()
  const automation = useQuery({
    queryKey: ["automation", automationId],
    queryFn: async ({ signal }) =>
      (await client.automations.get({ automation_id: automationId }, { signal })).automation
  })
  const query = useInfiniteQuery({
    queryKey: ["automation", automationId, "revisions"],
    queryFn: ({ pageParam, signal }) =>
      client.automations.revisions(
        { automation_id: automationId, limit: PAGE, ...(pageParam === 0 ? {} : { before_version: pageParam }) },
        { signal }
      ),
    initialPageParam: 0,
    getNextPageParam: ({ revisions }) => (revisions.length < PAGE ? undefined : revisions.at(-1)?.version)
  })
  return (
    <Page
      title="Versions"
      trail={
        <>
          <Link to="/automations" search={{}}>
            Automations
          </Link>{" "}
          ›{" "}
          <Link to="/automations/$automationId" params={{ automationId: String(automationId) }}>
            {automation.data?.name ?? "Automation"}
          </Link>
        </>
      }
      lead="Each save is a version. What it changed is told step by step; any of them can be brought back."
    >
      <Asked query={query} what="versions">
        {({ pages }) => {
          const allRevisions = pages.flatMap(({ revisions }) => revisions)
          const revisionIndex = Math.max(
            0,
            allRevisions.findIndex((one) => one.version === version)
          )
          const revision = allRevisions[revisionIndex]
          return (
            <div className="columns">
              {revision === undefined ? null : (
                <Chosen
                  key={revision.id}
                  automationId={automationId}
                  revision={revision}
                  before={allRevisions[revisionIndex + 1]}
                  present={allRevisions[0]!}
                />
              )}
              <section className="card" aria-label="All versions">
                <ul className="plain revisions">
                  {allRevisions.map((one) => (
                    <li key={one.id}>
                      <Link
                        to="/automations/$automationId/revisions"
                        params={{ automationId: String(automationId) }}
                        search={{ version: one.version }}
                        aria-current={one.id === revision?.id ? "true" : undefined}
                      >
                        Version {one.version}
                        {one.id === allRevisions[0]?.id && " (present)"}
                      </Link>
                      <p className="muted">
                        <Time at={one.created_at} full />
                        {one.author !== undefined && ` · ${one.author.name}`}
                      </p>
                    </li>
                  ))}
                </ul>
                <ShowMore query={query} shown={allRevisions.length} what="older versions" />
              </section>
            </div>
          )
        }}
      </Asked>
    </Page>
  )
}
