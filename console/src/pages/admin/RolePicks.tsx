// A role to choose, with what it may do beside it.
import { useId } from "react"
import { rolePicks as texts } from "../../texts/admin/workspaces.ts"
import { roleWords } from "./memberWords.ts"
import type { Role } from "./places.ts"

interface RolePicksProps<R extends Role> {
  readonly roles: ReadonlyArray<R>
  readonly chosen: R
  readonly choose: (role: R) => void
}
export const RolePicks = <R extends Role>({ roles, chosen, choose }: RolePicksProps<R>) => {
  const id = useId()
  return (
    <fieldset>
      <legend>{texts.role}</legend>
      {roles.map((role) => (
        <div key={role} className="pick">
          <input type="radio" name={id} id={`${id}-${role}`} checked={role === chosen} onChange={() => choose(role)} />
          <label htmlFor={`${id}-${role}`}>
            {roleWords[role].word}
            <small className="muted">{roleWords[role].about}</small>
          </label>
        </div>
      ))}
    </fieldset>
  )
}
