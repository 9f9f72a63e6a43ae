// Shows an app that people have connected: the rule for it, for whom it is blocked, its connections, and a button that ends all of them.
import { useState } from "react"
import { client } from "../../api/client.ts"
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
            {connections === 0 ? "Connected by nobody" : `Connected by ${peopleWords(connections)}`}
            {last_used_on !== null && (
              <>
                , last used <Time at={last_used_on} />
              </>
            )}
          </p>
        </div>
        {access !== null && <Tag tone={accessTones[access]}>{accessWords[access]}</Tag>}
      </div>
      <AppAccess app={app} mode={mode}>
        <div className="actions">
          <button
            type="button"
            className="quiet small"
            aria-label={`Block for one person: ${name}`}
            onClick={() => setBlocking(true)}
          >
            Block for one person
          </button>
          {connections > 0 && (
            <>
              <button
                type="button"
                className="quiet small"
                aria-expanded={open}
                aria-label={`Who has connected it: ${name}`}
                onClick={() => setOpen(!open)}
              >
                Who has connected it
              </button>
              <Confirm
                label="End all"
                about={`connections of ${name}`}
                title={`End all connections of ${name}?`}
                yes={`End ${connections === 1 ? "the connection" : `all ${connections}`}`}
                busy={endAll.isPending}
                onYes={() => endAll.mutate(undefined)}
              >
                <p>
                  Its tokens stop working at once, for {peopleWords(connections)}. Nothing that it wrote goes. People
                  may connect it again unless a rule forbids it.
                </p>
              </Confirm>
            </>
          )}
        </div>
      </AppAccess>
      <output className="muted">
        {endAll.isSuccess && connections === 0 && `Ended: ${peopleWords(endAll.data.ended)}.`}
      </output>
      {endAll.isError && <Failure what="The connections go on." error={endAll.error} />}
      {blocked_user_ids.length > 0 && <BlockedPeople app={app} />}
      {open && connections > 0 && <AppConnections clientId={client_id} />}
      {isBlocking && <BlockDialog app={app} close={() => setBlocking(false)} />}
    </li>
  )
}
