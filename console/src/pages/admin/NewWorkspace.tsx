// A new workspace: its name, and who it is for, which never changes.
import { useNavigate } from "@tanstack/react-router"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { newWorkspace as texts } from "../../texts/admin/workspaces.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { useChange } from "./adminQueries.ts"
import { type Workspace, workspaceTypes } from "./workspaceWords.ts"

const types = ["open", "closed", "private", "default"] as const satisfies ReadonlyArray<Workspace["type"]>

const NewDialog = ({ close }: { readonly close: () => void }) => {
  const id = useId()
  const [name, setName] = useState("")
  const [type, setType] = useState<Workspace["type"]>("open")
  const navigate = useNavigate()
  const create = useChange(
    () => client.workspaces.create({ body: { name: name.trim(), type } }),
    [["workspaces"]],
    ({ workspace_id }) =>
      void navigate({ to: "/admin/workspaces/$workspaceId", params: { workspaceId: String(workspace_id) } })
  )
  return (
    <Dialog title={texts.newWorkspace} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(undefined)
        }}
      >
        <div className="field">
          <label htmlFor={`${id}-name`}>{texts.name}</label>
          <input
            id={`${id}-name`}
            required
            maxLength={500}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        <fieldset>
          <legend>{texts.whoItIsFor}</legend>
          {types.map((one) => (
            <div key={one} className="pick">
              <input type="radio" name={id} id={`${id}-${one}`} checked={one === type} onChange={() => setType(one)} />
              <label htmlFor={`${id}-${one}`}>
                {workspaceTypes[one].word}
                <small className="muted">{workspaceTypes[one].about}</small>
              </label>
            </div>
          ))}
        </fieldset>
        <p className="muted">{texts.youBecomeItsAdmin}</p>
        {create.isError && <Failure what={texts.workspaceWasNotMade} error={create.error} />}
        <button type="submit" disabled={create.isPending}>
          {texts.createWorkspace}
        </button>
      </form>
    </Dialog>
  )
}

export const NewWorkspace = () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="small" onClick={() => setOpen(true)}>
        {texts.newWorkspace}
      </button>
      {open && <NewDialog close={() => setOpen(false)} />}
    </>
  )
}
