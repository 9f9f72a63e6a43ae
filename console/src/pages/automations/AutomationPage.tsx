// Shows an automation: its steps as sentences from top to bottom, what is broken, the definition as JSON; activates and pauses it.

import type { AnswerOf } from "@millrace/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useMemo } from "react"
import { client } from "../../api/client.ts"
import { automationPage as texts } from "../../texts/automations/automations.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { automationOf } from "./automationQueries.ts"
import { automationStates } from "./automationStates.ts"
import { ExportButton } from "./ExportButton.tsx"
import { definitionFrom } from "./editor/model/definition.ts"
import { Flow } from "./Flow.tsx"
import { MoreActions } from "./MoreActions.tsx"
import { OwnerLost } from "./OwnerLost.tsx"
import { PausedForFailures } from "./PausedForFailures.tsx"
import { TagsOfOne } from "./tags/TagsOfOne.tsx"
import { useNames } from "./useNames.ts"

type Automation = AnswerOf<"automations.get">["automation"]

const route = getRouteApi("/automations/$automationId")

const Switch = ({ automation }: { readonly automation: Automation }) => {
  const queries = useQueryClient()
  const automation_id = automation.id
  const active = automation.status === "active"
  const change = useMutation({
    mutationFn: (): Promise<unknown> =>
      active ? client.automations.pause({ automation_id }) : client.automations.activate({ automation_id }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["automation", automation_id] }),
        queries.invalidateQueries({ queryKey: ["automations"] })
      ])
  })
  return (
    <>
      <button
        type="button"
        className={active ? "quiet small" : "small"}
        disabled={change.isPending}
        onClick={() => change.mutate()}
      >
        {active ? texts.pause : texts.activate}
      </button>
      {change.isError && (
        <Failure what={active ? texts.itWasNotPaused : texts.itWasNotActivated} error={change.error} />
      )}
    </>
  )
}

const WhatItDoes = ({ automation }: { readonly automation: Automation }) => {
  const definition = useMemo(
    () => definitionFrom(automation as unknown as Record<string, unknown>, () => ""),
    [automation]
  )
  const names = useNames(automation.app_id, definition.actions)
  return (
    <section className="card" aria-labelledby="flow">
      <h2 id="flow">{texts.whatItDoes}</h2>
      <Flow definition={definition} app_id={automation.app_id} names={names} />
    </section>
  )
}

export const AutomationPage = () => {
  const automationId = Number(route.useParams().automationId)
  const query = useQuery(automationOf(automationId))
  const loadedAutomation = query.data
  return (
    <Page
      title={loadedAutomation?.name ?? texts.automation}
      trail={
        <Link to="/automations" search={{}}>
          {texts.automations}
        </Link>
      }
      actions={
        loadedAutomation !== undefined && (
          <>
            <ExportButton automationId={loadedAutomation.id} name={loadedAutomation.name} />
            <Link
              className="button quiet small"
              to="/automations/$automationId/edit"
              params={{ automationId: String(loadedAutomation.id) }}
            >
              {texts.edit}
            </Link>
            <Switch automation={loadedAutomation} />
            <MoreActions automation={loadedAutomation} />
          </>
        )
      }
      lead={loadedAutomation?.description}
    >
      <Asked query={query} failed={texts.loadingTheAutomationFailed}>
        {(automation) => (
          <>
            <p>
              <Tag tone={automationStates[automation.status].tone}>{automationStates[automation.status].words}</Tag>{" "}
              <Link to="/runs" search={{ automation: automation.id }}>
                {texts.itsRuns}
              </Link>
              {" · "}
              <Link
                to="/automations/$automationId/revisions"
                params={{ automationId: String(automation.id) }}
                search={{}}
              >
                {texts.itsVersions}
              </Link>
            </p>
            <TagsOfOne automation={automation} />
            <OwnerLost automation={automation} />
            {automation.refused_senders !== undefined && (
              <p className="note">
                {texts.itsInboundAddressHasRefused(
                  automation.refused_senders.count,
                  automation.refused_senders.first_at,
                  automation.refused_senders.last_at
                )}
              </p>
            )}
            <PausedForFailures automation={automation} />
            {automation.broken_reason !== null && (
              <div className="note bad">
                {automation.broken_reason.errors.map(({ action_id, code, message }) => (
                  <p key={`${code} ${action_id} ${message}`}>{message}</p>
                ))}
              </div>
            )}
            <WhatItDoes automation={automation} />
            <section className="card" aria-label={texts.definition}>
              <details>
                <summary>{texts.definitionAsJson}</summary>
                <pre>
                  {JSON.stringify(
                    { trigger: automation.trigger, filter: automation.filter, actions: automation.actions },
                    null,
                    2
                  )}
                </pre>
              </details>
            </section>
          </>
        )}
      </Asked>
    </Page>
  )
}
