// Actions of owners and admins on a member: change the role, deactivate and reactivate, remove; each says first what it does.
import { useState } from "react"
import { client } from "../../api/client.ts"
import { memberActions as texts } from "../../texts/admin/members.ts"
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
    <Dialog title={texts.roleOf(member.name)} close={close}>
      <RolePicks roles={rolesFor(mine)} chosen={role} choose={setRole} />
      {role === "guest" && member.role !== "guest" && <p className="note warn">{texts.theirTokensAndConnectedApps}</p>}
      {save.isError && <Failure what={texts.roleStaysAsItIs} error={save.error} />}
      <button type="button" disabled={save.isPending || role === member.role} onClick={() => save.mutate(undefined)}>
        {texts.giveThisRole}
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
      <button type="button" className="quiet small" onClick={() => setOpen(true)} aria-label={texts.roleOf(name)}>
        {texts.role}
      </button>
      {status === "invited" && <InvitationActions member={member} />}
      {status === "deactivated" && (
        <button
          type="button"
          className="quiet small"
          aria-label={texts.activateName(name)}
          disabled={setStatus.isPending}
          onClick={() => setStatus.mutate("active")}
        >
          {texts.activate}
        </button>
      )}
      {status === "active" && (
        <Confirm
          label={texts.deactivate}
          about={name}
          title={texts.deactivateQuestion(name)}
          yes={texts.deactivate}
          busy={setStatus.isPending}
          onYes={() => setStatus.mutate("deactivated")}
        >
          <p>{texts.theyCanNoLongerAct}</p>
        </Confirm>
      )}
      <Confirm
        label={texts.remove}
        about={name}
        title={texts.removeQuestion(name)}
        yes={texts.removeFromTheOrganization}
        busy={remove.isPending}
        onYes={() => remove.mutate(undefined)}
      >
        <p>{texts.theyLeaveTheOrganization}</p>
      </Confirm>
      {open && <RoleDialog member={member} mine={mine} close={() => setOpen(false)} />}
      {setStatus.isError && <Failure what={texts.staysStatus(name, status)} error={setStatus.error} />}
      {remove.isError && <Failure what={texts.wasNotRemoved(name)} error={remove.error} />}
    </>
  )
}
