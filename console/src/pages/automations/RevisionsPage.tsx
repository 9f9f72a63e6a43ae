// The revisions of an automation: who saved which and when, what each has changed, in words and side by side, and the way back to it.

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { Differences, type Revision } from "./Differences.tsx"
import "./automations.css"

const route = getRouteApi("/automations/$automationId/revisions")
const PAGE = 30

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
  readonly app_id: number
  readonly revision: Revision
  /** The one that it is compared with. */
  readonly other: Revision | undefined
  readonly all: ReadonlyArray<Revision>
}
const Chosen = ({ all, app_id, automationId, other, revision }: ChosenProps) => {
  const navigate = route.useNavigate()
  const present = all[0]!
  const [from, to] = other !== undefined && other.version > revision.version ? [revision, other] : [other, revision]
  return (
    <section className="card" aria-labelledby="changed">
      <div className="head">
        <h2 id="changed">
          {from === undefined || from.version === to.version - 1
            ? `What version ${to.version} changed`
            : `From version ${from.version} to version ${to.version}`}
        </h2>
        {revision.id !== present.id && <Restore automationId={automationId} revision={revision} />}
      </div>
      {all.length > 1 && (
        <div className="tools">
          <label htmlFor="against">Compare version {revision.version} with</label>
          <ChoiceOfMany
            id="against"
            className="short"
            value={other?.version}
            {...(other === undefined ? { none: "another version" } : { required: true })}
            choices={all
              .filter(({ id }) => id !== revision.id)
              .map(({ id, version }) => [version, `Version ${version}${id === present.id ? " (present)" : ""}`])}
            onChange={(against) =>
              against !== undefined && void navigate({ search: { version: revision.version, against } })
            }
          />
        </div>
      )}
      {from === undefined ? (
        <p className="muted">
          It is the first one, with {revision.actions.length === 1 ? "one step" : `${revision.actions.length} steps`}.
        </p>
      ) : (
        <Differences automationId={automationId} app_id={app_id} from={from} to={to} />
      )}
      {revision.id !== present.id && (
        <details>
          <summary>What restoring it would change</summary>
          <Differences automationId={automationId} app_id={app_id} from={present} to={revision} />
        </details>
      )}
    </section>
  )
}

export const RevisionsPage = () => {
  const automationId = Number(route.useParams().automationId)
  const { against, version } = route.useSearch()
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
                  app_id={automation.data?.app_id ?? 0}
                  revision={revision}
                  other={
                    allRevisions.find((one) => one.version === against && one.id !== revision.id) ??
                    allRevisions[revisionIndex + 1]
                  }
                  all={allRevisions}
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
