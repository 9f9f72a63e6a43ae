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
import { automationOf } from "./automationQueries.ts"
import { Differences, type Revision } from "./Differences.tsx"
import "./automations.css"
import { revisionsPage as texts } from "../../texts/automations/versions.ts"

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
        label={texts.restoreThisVersion}
        title={texts.restoreVersion(revision.version)}
        yes={texts.restoreIt}
        busy={restore.isPending}
        onYes={() => restore.mutate()}
      >
        <p>{texts.itsNameTriggerFilter}</p>
      </Confirm>
      {restore.isError && <Failure what={texts.itWasNotRestored} error={restore.error} />}
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
            ? texts.whatVersionChanged(to.version)
            : texts.fromVersionToVersion(from.version, to.version)}
        </h2>
        {revision.id !== present.id && <Restore automationId={automationId} revision={revision} />}
      </div>
      {all.length > 1 && (
        <div className="tools">
          <label htmlFor="against">{texts.compareVersionWith(revision.version)}</label>
          <ChoiceOfMany
            id="against"
            className="short"
            value={other?.version}
            {...(other === undefined ? { none: texts.anotherVersion } : { required: true })}
            choices={all
              .filter(({ id }) => id !== revision.id)
              .map(({ id, version }) => [
                version,
                texts.versionVersion(version, id === present.id ? texts.present : "")
              ])}
            onChange={(against) =>
              against !== undefined && void navigate({ search: { version: revision.version, against } })
            }
          />
        </div>
      )}
      {from === undefined ? (
        <p className="muted">{texts.itIsTheFirstOne(revision.actions.length)}</p>
      ) : (
        <Differences automationId={automationId} app_id={app_id} from={from} to={to} />
      )}
      {revision.id !== present.id && (
        <details>
          <summary>{texts.whatRestoringItWouldChange}</summary>
          <Differences automationId={automationId} app_id={app_id} from={present} to={revision} />
        </details>
      )}
    </section>
  )
}

export const RevisionsPage = () => {
  const automationId = Number(route.useParams().automationId)
  const { against, version } = route.useSearch()
  const automation = useQuery(automationOf(automationId))
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
      title={texts.versions}
      trail={
        <>
          <Link to="/automations" search={{}}>
            {texts.automations}
          </Link>{" "}
          ›{" "}
          <Link to="/automations/$automationId" params={{ automationId: String(automationId) }}>
            {automation.data?.name ?? texts.automation}
          </Link>
        </>
      }
      lead={texts.eachSaveIsAVersion}
    >
      <Asked query={query} failed={texts.loadingVersionsFailed}>
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
              <section className="card" aria-label={texts.allVersions}>
                <ul className="plain revisions">
                  {allRevisions.map((one) => (
                    <li key={one.id}>
                      <Link
                        to="/automations/$automationId/revisions"
                        params={{ automationId: String(automationId) }}
                        search={{ version: one.version }}
                        aria-current={one.id === revision?.id ? "true" : undefined}
                      >
                        {texts.versionVersionSuffix(one.version, one.id === allRevisions[0]?.id && texts.present)}
                      </Link>
                      <p className="muted">
                        <Time at={one.created_at} full />
                        {one.author !== undefined && ` · ${one.author.name}`}
                      </p>
                    </li>
                  ))}
                </ul>
                <ShowMore
                  query={query}
                  shown={allRevisions.length}
                  show={texts.showOlderVersions}
                  failed={texts.loadingOlderVersionsFailed}
                />
              </section>
            </div>
          )
        }}
      </Asked>
    </Page>
  )
}
