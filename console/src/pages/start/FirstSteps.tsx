// First steps, on the home page of an organization without automations of its own: a sample app by one press, then three automations by one each.
import "./start.css"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { apps } from "../../api/queries.ts"
import { firstSteps as texts } from "../../texts/start/start.ts"
import { Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { buildable } from "../apps/appQueries.ts"
import { makeSample, SAMPLE } from "./sampleApp.ts"
import { apply, type Template, templates } from "./templates.ts"

interface CardProps {
  readonly template: Template
  readonly appId: number | undefined
  readonly made: number | undefined
}
const TemplateCard = ({ appId, made, template }: CardProps) => {
  const queries = useQueryClient()
  const turnOn = useMutation({
    mutationFn: async (app_id: number) => apply(await client.apps.get({ app_id }), template),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["automations"] })
  })
  return (
    <li className="card">
      <h3>{template.name}</h3>
      <p>{template.about}</p>
      {made !== undefined ? (
        <>
          <p role="status">
            <Tag tone="good">{texts.on}</Tag> <span className="muted">{template.tryIt}</span>
          </p>
          <Link
            to="/automations/$automationId"
            params={{ automationId: String(made) }}
            aria-label={texts.lookAtItName(template.name)}
          >
            {texts.lookAtIt}
          </Link>
        </>
      ) : (
        <button
          type="button"
          className="quiet"
          aria-label={texts.turnOnName(template.name)}
          disabled={appId === undefined || turnOn.isPending}
          onClick={() => appId !== undefined && turnOn.mutate(appId)}
        >
          {texts.turnOn}
        </button>
      )}
      {turnOn.isError && <Failure what={texts.automationWasNotMade} error={turnOn.error} />}
    </li>
  )
}

export const FirstSteps = () => {
  const queries = useQueryClient()
  const workspacesQuery = useQuery(buildable)
  const appsQuery = useQuery(apps)
  const automations = useQuery({
    queryKey: ["automations", "first"],
    queryFn: ({ signal }) => client.automations.listOrg({ limit: 20 }, { signal })
  })
  const make = useMutation({
    mutationFn: makeSample,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["apps"] })
  })
  const [place] = workspacesQuery.data ?? []
  if (place === undefined || appsQuery.data === undefined || automations.data === undefined) return null
  const sample = appsQuery.data.apps.find(({ name }) => name === SAMPLE)
  const allAutomations = automations.data.automations
  // A person who has made automations of their own needs no first steps.
  if (allAutomations.some(({ name }) => !templates.some((template) => template.name === name))) return null
  return (
    <section className="first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{texts.firstSteps}</h2>
      <div className="card">
        <h3>{texts.sampleApp}</h3>
        <p>{texts.ordersOfASmallShop}</p>
        {sample === undefined ? (
          <button type="button" disabled={make.isPending} onClick={() => make.mutate(place.workspace_id)}>
            {texts.makeTheSampleApp}
          </button>
        ) : (
          <Link className="button" to="/apps/$appId" params={{ appId: String(sample.app_id) }}>
            {texts.openTheSampleApp}
          </Link>
        )}
        {make.isError && <Failure what={texts.sampleAppWasNotMade} error={make.error} />}
      </div>
      <h2>{texts.automationsToBeginWith}</h2>
      {sample === undefined && <p className="muted">{texts.theyWorkOnTheSample}</p>}
      <ul className="plain templates">
        {templates.map((template) => (
          <TemplateCard
            key={template.name}
            template={template}
            appId={sample?.app_id}
            made={allAutomations.find(({ name }) => name === template.name)?.id}
          />
        ))}
      </ul>
    </section>
  )
}
