// The webhooks of an app: what each sends, where to, and whether it arrives.
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { hooksOf } from "../../api/hooks.ts"
import { webhooksPage as texts } from "../../texts/hooks/hooks.ts"
import { Page } from "../../ui/Page.tsx"
import { ScrollTable } from "../../ui/ScrollTable.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { administered } from "../apps/appQueries.ts"
import { AppChoice } from "./AppChoice.tsx"
import { hookName, standingOf, typeWords } from "./hookWords.ts"

const HooksOf = ({ appId }: { readonly appId: number }) => (
  <Asked query={useQuery(hooksOf(appId))} failed={texts.loadingTheWebhooksFailed}>
    {({ webhooks }) =>
      webhooks.length === 0 ? (
        <Empty title={texts.noWebhooksYet}>
          <p>{texts.webhookTellsAnotherProgram}</p>
          <p>
            <Link className="button" to="/webhooks/new" search={{ app: appId }}>
              {texts.newWebhook}
            </Link>
          </p>
        </Empty>
      ) : (
        <ScrollTable label={texts.webhooks}>
          <thead>
            <tr>
              <th scope="col">{texts.webhook}</th>
              <th scope="col">{texts.event}</th>
              <th scope="col">{texts.state}</th>
            </tr>
          </thead>
          <tbody>
            {webhooks.map((hook) => {
              const { tone, word } = standingOf(hook)
              return (
                <tr key={hook.hook_id}>
                  <th scope="row">
                    <Link to="/webhooks/$hookId" params={{ hookId: String(hook.hook_id) }}>
                      {hookName(hook)}
                    </Link>
                  </th>
                  <td>{typeWords[hook.type]}</td>
                  <td>
                    <Tag tone={tone}>{word}</Tag>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </ScrollTable>
      )
    }
  </Asked>
)

export const WebhooksPage = () => {
  const { app } = useSearch({ from: "/webhooks" })
  const go = useNavigate()
  const query = useQuery(administered)
  const chosenAppId = app ?? query.data?.apps[0]?.app_id
  return (
    <Page
      title={texts.webhooks}
      lead={texts.whatHappensInAnApp}
      actions={
        chosenAppId === undefined ? undefined : (
          <Link className="button" to="/webhooks/new" search={{ app: chosenAppId }}>
            {texts.newWebhook}
          </Link>
        )
      }
    >
      <Asked query={query} failed={texts.loadingAppsFailed}>
        {({ apps: all }) =>
          chosenAppId === undefined ? (
            <Empty title={texts.noAppsOfYours}>
              <p>{texts.webhooksBelongToAnApp}</p>
            </Empty>
          ) : (
            <>
              <AppChoice
                apps={all}
                chosen={chosenAppId}
                onChoose={(to) => void go({ to: "/webhooks", search: { app: to } })}
              />
              <HooksOf appId={chosenAppId} />
            </>
          )
        }
      </Asked>
    </Page>
  )
}
