// Lists the connections of an app, page by page; ends single connections.
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { appConnections as texts } from "../../texts/admin/connections.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { LastUsed, Time } from "../../ui/Time.tsx"
import { useChange } from "./adminQueries.ts"
import { CONNECTIONS, type Connection, connectionsOf, nameOf, PAGE, scopesSaid } from "./connectionQueries.ts"

const ConnectionRow = ({ connection }: { readonly connection: Connection }) => {
  const { approved_on, connection_id, last_used_on, scopes, user_name: name } = connection
  const end = useChange(() => client.connections.end({ connection_id }), [CONNECTIONS])
  return (
    <li className="person">
      <div>
        <strong>{name}</strong>
        <small className="muted">
          {texts.approvedTime(<Time at={approved_on} />)} <LastUsed at={last_used_on} />
        </small>
        <details>
          <summary>{scopesSaid(connection)}</summary>
          <ul>
            {scopes.map((scope) => (
              <li key={scope}>
                <code>{scope}</code>
              </li>
            ))}
          </ul>
        </details>
      </div>
      <Confirm
        label={texts.disconnect}
        about={name}
        title={texts.disconnectFor(nameOf(connection), name)}
        yes={texts.disconnect}
        busy={end.isPending}
        onYes={() => end.mutate(undefined)}
      >
        <p>{texts.itsTokensStopWorking}</p>
      </Confirm>
      {end.isError && <Failure what={texts.itWasNotDisconnected} error={end.error} />}
    </li>
  )
}

export const AppConnections = ({ clientId }: { readonly clientId: string }) => {
  const [offset, setOffset] = useState(0)
  const query = useQuery({ ...connectionsOf(clientId, offset), placeholderData: keepPreviousData })
  return (
    <Asked query={query} failed={texts.loadingConnectionsFailed}>
      {({ connections, total }) => (
        <>
          <ul className="plain">
            {connections.map((connection) => (
              <ConnectionRow key={connection.connection_id} connection={connection} />
            ))}
          </ul>
          {total > PAGE && (
            <div className="actions">
              <button
                type="button"
                className="quiet small"
                disabled={offset === 0}
                onClick={() => setOffset(Math.max(0, offset - PAGE))}
              >
                {texts.laterOnes}
              </button>
              <button
                type="button"
                className="quiet small"
                disabled={offset + PAGE >= total}
                onClick={() => setOffset(offset + PAGE)}
              >
                {texts.earlierOnes}
              </button>
            </div>
          )}
        </>
      )}
    </Asked>
  )
}
