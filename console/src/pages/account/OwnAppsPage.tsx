// Apps that act for the reader, in all their organizations, and the end of each (service.md 3.2; decisions O15).
import { useQuery } from "@tanstack/react-query"
import { ask } from "../../api/account.ts"
import { ownAppsPage as texts } from "../../texts/account/account.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Asked, Empty, Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { LastUsed, Time } from "../../ui/Time.tsx"
import { useChange } from "../admin/adminQueries.ts"
import { nameOf } from "../admin/connectionQueries.ts"
import { AccountPage } from "./AccountPage.tsx"
import { OWN_CONNECTIONS, type OwnConnection, ownConnections } from "./accountQueries.ts"

const ConnectionRow = ({ connection }: { readonly connection: OwnConnection }) => {
  const { approved_on, connection_id, last_used_on, org_name, scopes } = connection
  const end = useChange(() => ask("/account/connections/end", { connection_id }), [OWN_CONNECTIONS])
  const name = nameOf(connection)
  return (
    <li className="person">
      <div>
        <strong>{name}</strong> <Tag>{org_name}</Tag>
        <small className="muted">
          {texts.approvedTime(<Time at={approved_on} />)} <LastUsed at={last_used_on} />
        </small>
        <details>
          <summary>{texts.permissions(scopes.length)}</summary>
          <ul>
            {scopes.map(({ line, scope }) => (
              <li key={scope}>
                {line} <code>{scope}</code>
              </li>
            ))}
          </ul>
        </details>
      </div>
      <Confirm
        label={texts.disconnect}
        about={texts.fromOrgName(name, org_name)}
        title={texts.disconnectQuestion(name)}
        yes={texts.disconnect}
        busy={end.isPending}
        onYes={() => end.mutate(undefined)}
      >
        <p>{texts.itsTokensStopWorking(org_name)}</p>
      </Confirm>
      {end.isError && <Failure what={texts.itWasNotDisconnected} error={end.error} />}
    </li>
  )
}

const Own = () => (
  <Asked query={useQuery(ownConnections)} failed={texts.loadingYourAppsFailed}>
    {({ connections }) =>
      connections.length === 0 ? (
        <Empty title={texts.noAppActsForYou}>
          <p>{texts.appAsksYouFirst}</p>
        </Empty>
      ) : (
        <ul className="plain card people">
          {connections.map((connection) => (
            <ConnectionRow key={connection.connection_id} connection={connection} />
          ))}
        </ul>
      )
    }
  </Asked>
)

export const OwnAppsPage = () => (
  <AccountPage at="/account/apps">
    <Own />
  </AccountPage>
)
