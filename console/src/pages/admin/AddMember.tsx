// A person is invited to the organization: by mail, or by a link that is shown here where the service sends none.
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { addMember as texts } from "../../texts/admin/members.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { useChange, workspaces } from "./adminQueries.ts"
import { InvitationSent } from "./InvitationSent.tsx"
import { RolePicks } from "./RolePicks.tsx"
import { WorkspacePicks } from "./WorkspacePicks.tsx"

const route = getRouteApi("/admin/members")

const roles = ["member", "admin", "guest"] as const

const AddDialog = ({ close }: { readonly close: () => void }) => {
  const id = useId()
  const [name, setName] = useState("")
  const [email, setEmail] = useState("")
  const [role, setRole] = useState<(typeof roles)[number]>("member")
  const [chosenIds, setChosenIds] = useState<ReadonlyArray<number>>([])
  // Everybody is a member of a default workspace.
  const joinable = (useQuery(workspaces).data?.workspaces ?? []).filter(({ type }) => type !== "default")
  const workspaceRole = role === "guest" ? "guest" : "member"
  const memberships = chosenIds.map((workspace_id) => ({ workspace_id, role: workspaceRole }) as const)
  const add = useChange(
    () =>
      client.accounts.userCreate({
        body: {
          name: name.trim(),
          email: email.trim(),
          role,
          ...(memberships.length === 0 ? {} : { workspaces: memberships })
        }
      }),
    [["users"], ["workspaces"]]
  )
  if (add.data !== undefined)
    return (
      <Dialog title={texts.invitationOf(add.data.name)} close={close}>
        <InvitationSent invited={add.data} />
      </Dialog>
    )
  return (
    <Dialog title={texts.inviteAPerson} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate(undefined)
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
        <div className="field">
          <label htmlFor={`${id}-email`}>{texts.email}</label>
          <input
            id={`${id}-email`}
            type="email"
            required
            maxLength={254}
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </div>
        <RolePicks roles={roles} chosen={role} choose={setRole} />
        {joinable.length > 0 && (
          <fieldset className="field">
            <legend>{texts.workspacesAsWorkspaceRole(workspaceRole)}</legend>
            <WorkspacePicks workspaces={joinable} chosenIds={chosenIds} change={setChosenIds} />
          </fieldset>
        )}
        {add.isError && <Failure what={texts.nobodyWasInvited} error={add.error} />}
        <button type="submit" disabled={add.isPending}>
          {texts.sendInvitation}
        </button>
      </form>
    </Dialog>
  )
}

/** The address opens the dialog, so that the search can lead to it. */
export const AddMember = () => {
  const { invite = false } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (open: boolean) => void navigate({ search: open ? { invite: true } : {}, replace: true })
  return (
    <>
      <button type="button" className="small" onClick={() => show(true)}>
        {texts.inviteAPerson}
      </button>
      {invite && <AddDialog close={() => show(false)} />}
    </>
  )
}
