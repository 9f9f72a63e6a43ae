// Actions of owners and admins on somebody who has not joined yet: another link, or none.
import { client } from "../../api/client.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { useChange } from "./adminQueries.ts"
import { InvitationSent } from "./InvitationSent.tsx"
import type { Member } from "./memberWords.ts"

export const InvitationActions = ({ member }: { readonly member: Member }) => {
  const { invitation, name, user_id } = member
  const send = useChange(() => client.accounts.userInvite({ user_id }), [["users"]])
  const withdraw = useChange(() => client.accounts.userInvitationWithdraw({ user_id }), [["users"]])
  return (
    <>
      <button
        type="button"
        className="quiet small"
        aria-label={`Resend invitation of ${name}`}
        disabled={send.isPending}
        onClick={() => send.mutate(undefined)}
      >
        Resend invitation
      </button>
      {invitation !== null && invitation.status !== "withdrawn" && (
        <Confirm
          label="Withdraw invitation"
          about={`of ${name}`}
          title={`Withdraw the invitation of ${name}?`}
          yes="Withdraw invitation"
          busy={withdraw.isPending}
          onYes={() => withdraw.mutate(undefined)}
        >
          <p>Its link no longer works. You can send another one, or remove them.</p>
        </Confirm>
      )}
      {send.data !== undefined && (
        <Dialog title={`Invitation of ${name}`} close={() => send.reset()}>
          <InvitationSent invited={send.data} />
        </Dialog>
      )}
      {send.isError && <Failure what={`${name} was sent no other invitation.`} error={send.error} />}
      {withdraw.isError && <Failure what="The invitation stands." error={withdraw.error} />}
    </>
  )
}
