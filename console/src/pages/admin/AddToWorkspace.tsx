// Somebody of the organization is added to a workspace.
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { addToWorkspace as texts } from "../../texts/admin/workspaces.ts"
import { ChoiceOfMany, FEW } from "../../ui/ChoiceOfMany.tsx"
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
  // A long list has no preselected person.
  const person = people.find(({ user_id }) => user_id === chosen) ?? (people.length > FEW ? undefined : people[0])
  const role = person?.role === "guest" ? "guest" : wanted
  const add = useChange(
    (user_id: number) => client.workspaces.memberPut({ workspace_id: workspaceId, body: { user_id, role } }),
    [["workspaces"]]
  )
  return (
    <form
      className="card"
      aria-label={texts.addSomebody}
      onSubmit={(event) => {
        event.preventDefault()
        if (person !== undefined) add.mutate(person.user_id)
      }}
    >
      <div className="inline">
        <div className="field">
          <label htmlFor={`${id}-person`}>{texts.person}</label>
          <ChoiceOfMany
            id={`${id}-person`}
            value={person?.user_id}
            required
            choices={people.map(({ email, name, user_id }) => [user_id, `${name} (${email})`])}
            onChange={setChosen}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-role`}>{texts.role}</label>
          <select
            id={`${id}-role`}
            value={role}
            onChange={({ target }) => setWanted(target.value as WorkspaceMember["role"])}
          >
            {(["member", "admin", "guest"] as const)
              .filter((one) => person?.role !== "guest" || one === "guest")
              .map((one) => (
                <option key={one} value={one}>
                  {workspaceRoles[one]}
                </option>
              ))}
          </select>
        </div>
        <button type="submit" disabled={add.isPending}>
          {texts.add}
        </button>
      </div>
      {add.isError && <Failure what={texts.nobodyWasAdded} error={add.error} />}
    </form>
  )
}
