// Somebody of the organization is added to a workspace.
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { Failure } from "../../ui/states.tsx"
import { useChange } from "./adminQueries.ts"
import type { Member } from "./memberWords.ts"
import { type WorkspaceMember, workspaceRoles } from "./workspaceWords.ts"

interface AddProps {
  readonly workspaceId: number
  readonly people: ReadonlyArray<Member>
}
export const AddToWorkspace = ({ workspaceId, people }: AddProps) => {
  const id = useId()
  const [chosen, setChosen] = useState<number>()
  const [wanted, setWanted] = useState<WorkspaceMember["role"]>("member")
  const person = people.find(({ user_id }) => user_id === chosen) ?? people[0]!
  const role = person.role === "guest" ? "guest" : wanted
  const add = useChange(
    () => client.workspaces.memberPut({ workspace_id: workspaceId, body: { user_id: person.user_id, role } }),
    [["workspaces"]]
  )
  return (
    <form
      className="card"
      aria-label="Add somebody"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate(undefined)
      }}
    >
      <div className="inline">
        <div className="field">
          <label htmlFor={`${id}-person`}>Person</label>
          <select id={`${id}-person`} value={person.user_id} onChange={({ target }) => setChosen(Number(target.value))}>
            {people.map(({ email, name, user_id }) => (
              <option key={user_id} value={user_id}>
                {name} ({email})
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}-role`}>Role</label>
          <select
            id={`${id}-role`}
            value={role}
            onChange={({ target }) => setWanted(target.value as WorkspaceMember["role"])}
          >
            {(["member", "admin", "guest"] as const)
              .filter((one) => person.role !== "guest" || one === "guest")
              .map((one) => (
                <option key={one} value={one}>
                  {workspaceRoles[one]}
                </option>
              ))}
          </select>
        </div>
        <button type="submit" disabled={add.isPending}>
          Add
        </button>
      </div>
      {add.isError && <Failure what="Nobody was added." error={add.error} />}
    </form>
  )
}
