// Which apps may connect anew: all, or those alone that a rule approves.
import { useId } from "react"
import { client } from "../../api/client.ts"
import { Failure } from "../../ui/states.tsx"
import { useChange } from "./adminQueries.ts"
import { CONNECTIONS, type Mode } from "./connectionQueries.ts"

const modes: Record<Mode, string> = {
  all: "All apps, except those that are limited or blocked",
  approved: "Only apps that a rule approves"
}

export const AppModeForm = ({ mode }: { readonly mode: Mode }) => {
  const id = useId()
  const set = useChange((to: Mode) => client.appPolicy.setMode({ body: { mode: to } }), [CONNECTIONS])
  return (
    <section className="card" aria-label="New connections">
      <fieldset disabled={set.isPending}>
        <legend>Which apps may connect</legend>
        {(Object.keys(modes) as Array<Mode>).map((one) => (
          <div key={one} className="pick">
            <input type="radio" name={id} id={`${id}-${one}`} checked={one === mode} onChange={() => set.mutate(one)} />
            <label htmlFor={`${id}-${one}`}>{modes[one]}</label>
          </div>
        ))}
      </fieldset>
      <p className="muted">This holds for new approvals; what is connected goes on. It is kept as you choose.</p>
      {set.isError && <Failure what="It stays as it is." error={set.error} />}
    </section>
  )
}
