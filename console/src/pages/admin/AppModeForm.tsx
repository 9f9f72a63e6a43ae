// Which apps may connect anew: all, or those alone that a rule approves.
import { useId } from "react"
import { client } from "../../api/client.ts"
import { appModeForm as texts } from "../../texts/admin/connections.ts"
import { Failure } from "../../ui/states.tsx"
import { useChange } from "./adminQueries.ts"
import { CONNECTIONS, type Mode } from "./connectionQueries.ts"

const modes: Record<Mode, string> = texts.modes

export const AppModeForm = ({ mode }: { readonly mode: Mode }) => {
  const id = useId()
  const set = useChange((to: Mode) => client.appPolicy.setMode({ body: { mode: to } }), [CONNECTIONS])
  return (
    <section className="card" aria-label={texts.newConnections}>
      <fieldset disabled={set.isPending}>
        <legend>{texts.whichAppsMayConnect}</legend>
        {(Object.keys(modes) as Array<Mode>).map((one) => (
          <div key={one} className="pick">
            <input type="radio" name={id} id={`${id}-${one}`} checked={one === mode} onChange={() => set.mutate(one)} />
            <label htmlFor={`${id}-${one}`}>{modes[one]}</label>
          </div>
        ))}
      </fieldset>
      <p className="muted">{texts.thisHoldsForNewApprovals}</p>
      {set.isError && <Failure what={texts.itStaysAsItIs} error={set.error} />}
    </section>
  )
}
