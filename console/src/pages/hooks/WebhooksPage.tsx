// The webhooks of an app: what each sends, where to, and whether it arrives.
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { hooksOf } from "../../api/hooks.ts"
import { Page } from "../../ui/Page.tsx"
import { ScrollTable } from "../../ui/ScrollTable.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { administered } from "../apps/appQueries.ts"
import { AppChoice } from "./AppChoice.tsx"
import { hookName, standingOf, typeWords } from "./hookWords.ts"

const HooksOf = ({ appId }: { readonly appId: number }) => (
  <Asked query={useQuery(hooksOf(appId))} what="the webhooks">
    {({ webhooks }) =>
      webhooks.length === 0 ? (
        <Empty title="No webhooks yet">
          <p>A webhook tells another program of each change of this app, at once.</p>
          <p>
            <Link className="button" to="/webhooks/new" search={{ app: appId }}>
              New webhook
            </Link>
          </p>
        </Empty>
      ) : (
        <ScrollTable label="Webhooks">
          <thead>
            <tr>
              <th scope="col">Webhook</th>
              <th scope="col">Event</th>
              <th scope="col">State</th>
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
      title="Webhooks"
      lead="What happens in an app, told to other programs as it happens."
      actions={
        chosenAppId === undefined ? undefined : (
          <Link className="button" to="/webhooks/new" search={{ app: chosenAppId }}>
            New webhook
          </Link>
        )
      }
    >
      <Asked query={query} what="apps">
        {({ apps: all }) =>
          chosenAppId === undefined ? (
            <Empty title="No apps of yours">
              <p>Webhooks belong to an app, and are for who administers its workspace.</p>
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
