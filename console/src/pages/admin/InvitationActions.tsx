// Actions of owners and admins on somebody who has not joined yet: another link, or none.
import { client } from "../../api/client.ts"
import { invitationActions as texts } from "../../texts/admin/members.ts"
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
        aria-label={texts.resendInvitationOf(name)}
        disabled={send.isPending}
        onClick={() => send.mutate(undefined)}
      >
        {texts.resendInvitation}
      </button>
      {invitation !== null && invitation.status !== "withdrawn" && (
        <Confirm
          label={texts.withdrawInvitation}
          about={texts.of(name)}
          title={texts.withdrawTheInvitationOf(name)}
          yes={texts.withdrawInvitation}
          busy={withdraw.isPending}
          onYes={() => withdraw.mutate(undefined)}
        >
          <p>{texts.itsLinkNoLongerWorks}</p>
        </Confirm>
      )}
      {send.data !== undefined && (
        <Dialog title={texts.invitationOf(name)} close={() => send.reset()}>
          <InvitationSent invited={send.data} />
        </Dialog>
      )}
      {send.isError && <Failure what={texts.wasSentNoOtherInvitation(name)} error={send.error} />}
      {withdraw.isError && <Failure what={texts.invitationStands} error={withdraw.error} />}
    </>
  )
}
