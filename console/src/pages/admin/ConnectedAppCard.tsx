// Shows an app that people have connected: the rule for it, its connections, and a button that ends all of them.
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import { AppConnections } from "./AppConnections.tsx"
import { useChange } from "./adminQueries.ts"
import { type Access, accessTones, accessWords, type ConnectedApp, nameOf } from "./connectionQueries.ts"

const people = (count: number) => (count === 1 ? "1 person" : `${count} people`)

interface CardProps {
  readonly app: ConnectedApp
  readonly mode: "all" | "approved"
}
export const ConnectedAppCard = ({ app, mode }: CardProps) => {
  const { access, client_id, connections, last_used_on } = app
  const id = useId()
  const [open, setOpen] = useState(false)
  const name = nameOf(app)
  const setAccess = useChange(
    (to: Access | null) => client.appPolicy.setAccess({ body: { client_id, access: to } }),
    [["connections"]]
  )
  const endAll = useChange(
    () => client.connections.endAll({ body: { client_id, of: "organization" } }),
    [["connections"]]
  )
  return (
    <li className="card">
      <div className="row">
        <div>
          <h2>{name}</h2>
          <p className="muted">
            {connections === 0 ? "Connected by nobody" : `Connected by ${people(connections)}`}
            {last_used_on !== null && (
              <>
                , last used <Time at={last_used_on} />
              </>
            )}
          </p>
        </div>
        {access !== null && <Tag tone={accessTones[access]}>{accessWords[access]}</Tag>}
      </div>
      <div className="inline">
        <div className="field choice">
          <label htmlFor={id}>Who may connect {name}</label>
          <select
            id={id}
            value={access ?? ""}
            disabled={setAccess.isPending}
            onChange={({ target }) => setAccess.mutate(target.value === "" ? null : (target.value as Access))}
          >
            <option value="">{mode === "all" ? "No rule: everyone" : "No rule: nobody anew"}</option>
            {Object.entries(accessWords).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </div>
        {connections > 0 && (
          <div className="actions">
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
                Its tokens stop working at once, for {people(connections)}. Nothing that it wrote goes. People may
                connect it again unless a rule forbids it.
              </p>
            </Confirm>
          </div>
        )}
      </div>
      <output className="muted">
        {endAll.isSuccess && connections === 0 && `Ended: ${people(endAll.data.ended)}.`}
        {setAccess.isSuccess &&
          setAccess.data.ended > 0 &&
          `The rule ended the connections of ${people(setAccess.data.ended)}.`}
      </output>
      {setAccess.isError && <Failure what="The rule stays as it is." error={setAccess.error} />}
      {endAll.isError && <Failure what="The connections go on." error={endAll.error} />}
      {open && connections > 0 && <AppConnections clientId={client_id} />}
    </li>
  )
}
