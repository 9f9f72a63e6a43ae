// Apps that act for the reader, in all their organizations, and the end of each (service.md 3.2; decisions O15).
import { useQuery } from "@tanstack/react-query"
import { ask } from "../../api/account.ts"
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
          Approved <Time at={approved_on} />, <LastUsed at={last_used_on} />
        </small>
        <details>
          <summary>{scopes.length === 1 ? "1 permission" : `${scopes.length} permissions`}</summary>
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
        label="Disconnect"
        about={`${name} from ${org_name}`}
        title={`Disconnect ${name}?`}
        yes="Disconnect"
        busy={end.isPending}
        onYes={() => end.mutate(undefined)}
      >
        <p>
          Its tokens stop working at once: it can no longer act for you in {org_name}. What it has written stays. To
          connect again, it asks you for your consent.
        </p>
      </Confirm>
      {end.isError && <Failure what="It was not disconnected." error={end.error} />}
    </li>
  )
}

const Own = () => (
  <Asked query={useQuery(ownConnections)} what="your apps">
    {({ connections }) =>
      connections.length === 0 ? (
        <Empty title="No app acts for you">
          <p>An app asks you first, and you say what it may do.</p>
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
