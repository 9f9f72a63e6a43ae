// Actions of owners and admins on a member: change the role, deactivate and reactivate, remove; each says first what it does.
import { useState } from "react"
import { client } from "../../api/client.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { useChange } from "./adminQueries.ts"
import { InvitationActions } from "./InvitationActions.tsx"
import { type Member, rolesFor } from "./memberWords.ts"
import type { Role } from "./places.ts"
import { RolePicks } from "./RolePicks.tsx"

interface ActionProps {
  readonly member: Member
  readonly mine: Role
}

const RoleDialog = ({ member, mine, close }: ActionProps & { readonly close: () => void }) => {
  const [role, setRole] = useState(member.role)
  const save = useChange(
    () => client.accounts.userUpdate({ user_id: member.user_id, body: { role } }),
    [["users"]],
    close
  )
  return (
    <Dialog title={`Role of ${member.name}`} close={close}>
      <RolePicks roles={rolesFor(mine)} chosen={role} choose={setRole} />
      {role === "guest" && member.role !== "guest" && (
        <p className="note warn">
          Their tokens and connected apps end at once, and automations that they saved last no longer reach what they no
          longer see.
        </p>
      )}
      {save.isError && <Failure what="The role stays as it is." error={save.error} />}
      <button type="button" disabled={save.isPending || role === member.role} onClick={() => save.mutate(undefined)}>
        Give this role
      </button>
    </Dialog>
  )
}

export const MemberActions = ({ member, mine }: ActionProps) => {
  const { name, status, user_id } = member
  const [open, setOpen] = useState(false)
  const setStatus = useChange(
    (to: "active" | "deactivated") => client.accounts.userUpdate({ user_id, body: { status: to } }),
    [["users"]]
  )
  const remove = useChange(() => client.accounts.userRemove({ user_id }), [["users"], ["workspaces"]])
  return (
    <>
      <button type="button" className="quiet small" onClick={() => setOpen(true)} aria-label={`Role of ${name}`}>
        Role
      </button>
      {status === "invited" && <InvitationActions member={member} />}
      {status === "deactivated" && (
        <button
          type="button"
          className="quiet small"
          aria-label={`Activate ${name}`}
          disabled={setStatus.isPending}
          onClick={() => setStatus.mutate("active")}
        >
          Activate
        </button>
      )}
      {status === "active" && (
        <Confirm
          label="Deactivate"
          about={name}
          title={`Deactivate ${name}?`}
          yes="Deactivate"
          busy={setStatus.isPending}
          onYes={() => setStatus.mutate("deactivated")}
        >
          <p>
            They can no longer act here. API key, tokens and connected apps end at once and do not come back; what they
            wrote stays, and so does their place in workspaces. You can activate them again.
          </p>
        </Confirm>
      )}
      <Confirm
        label="Remove"
        about={name}
        title={`Remove ${name}?`}
        yes="Remove from the organization"
        busy={remove.isPending}
        onYes={() => remove.mutate(undefined)}
      >
        <p>
          They leave the organization and its workspaces; API key, tokens and connected apps end at once. What they
          wrote keeps their name. This cannot be undone.
        </p>
      </Confirm>
      {open && <RoleDialog member={member} mine={mine} close={() => setOpen(false)} />}
      {setStatus.isError && <Failure what={`${name} stays ${status}.`} error={setStatus.error} />}
      {remove.isError && <Failure what={`${name} was not removed.`} error={remove.error} />}
    </>
  )
}
