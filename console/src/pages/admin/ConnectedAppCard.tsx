// Shows an app that people have connected: the rule for it, for whom it is blocked, its connections, and a button that ends all of them.
import { useState } from "react"
import { client } from "../../api/client.ts"
import { connectedAppCard as texts } from "../../texts/admin/connections.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import { AppAccess } from "./AppAccess.tsx"
import { BlockDialog, BlockedPeople } from "./AppBlocks.tsx"
import { AppConnections } from "./AppConnections.tsx"
import { useChange } from "./adminQueries.ts"
import {
  accessTones,
  accessWords,
  CONNECTIONS,
  type ConnectedApp,
  type Mode,
  nameOf,
  peopleWords
} from "./connectionQueries.ts"

interface CardProps {
  readonly app: ConnectedApp
  readonly mode: Mode
}
export const ConnectedAppCard = ({ app, mode }: CardProps) => {
  const { access, blocked_user_ids, client_id, client_name, connections, last_used_on } = app
  const [open, setOpen] = useState(false)
  const [isBlocking, setBlocking] = useState(false)
  const name = nameOf(app)
  const endAll = useChange(() => client.connections.endAll({ body: { client_id, of: "organization" } }), [CONNECTIONS])
  return (
    <li className="card">
      <div className="row">
        <div>
          <h2>{name}</h2>
          <p className="muted">
            {client_name !== null && (
              <>
                <code>{client_id}</code>
                <br />
              </>
            )}
            {connections === 0 ? texts.connectedByNobody : texts.connectedByPeople(peopleWords(connections))}
            {last_used_on !== null && texts.lastUsedTime(<Time at={last_used_on} />)}
          </p>
        </div>
        {access !== null && <Tag tone={accessTones[access]}>{accessWords[access]}</Tag>}
      </div>
      <AppAccess app={app} mode={mode}>
        <div className="actions">
          <button
            type="button"
            className="quiet small"
            aria-label={texts.blockForOnePersonName(name)}
            onClick={() => setBlocking(true)}
          >
            {texts.blockForOnePerson}
          </button>
          {connections > 0 && (
            <>
              <button
                type="button"
                className="quiet small"
                aria-expanded={open}
                aria-label={texts.whoHasConnectedItName(name)}
                onClick={() => setOpen(!open)}
              >
                {texts.whoHasConnectedIt}
              </button>
              <Confirm
                label={texts.endAll}
                about={texts.connectionsOf(name)}
                title={texts.endAllConnectionsOf(name)}
                yes={texts.endConnections(connections)}
                busy={endAll.isPending}
                onYes={() => endAll.mutate(undefined)}
              >
                <p>{texts.itsTokensStopWorking(peopleWords(connections))}</p>
              </Confirm>
            </>
          )}
        </div>
      </AppAccess>
      <output className="muted">
        {endAll.isSuccess && connections === 0 && texts.endedPeople(peopleWords(endAll.data.ended))}
      </output>
      {endAll.isError && <Failure what={texts.connectionsGoOn} error={endAll.error} />}
      {blocked_user_ids.length > 0 && <BlockedPeople app={app} />}
      {open && connections > 0 && <AppConnections clientId={client_id} />}
      {isBlocking && <BlockDialog app={app} close={() => setBlocking(false)} />}
    </li>
  )
}
