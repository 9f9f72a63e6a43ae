// The outcome of an invitation: its mail is on its way, or the link is here, for who has sent it to hand on. It is shown this once.
import type { AnswerOf } from "@millrace/client"
import { useState } from "react"
import { invitationSent as texts } from "../../texts/admin/members.ts"
import { Time } from "../../ui/Time.tsx"

type Invited = AnswerOf<"accounts.userInvite">

export const InvitationSent = ({ invited }: { readonly invited: Invited }) => {
  const { email, invitation, invitation_url: url } = invited
  const [isCopied, setCopied] = useState(false)
  const until = invitation === null ? null : <Time at={invitation.expires_on} full />
  if (url === undefined)
    return (
      <p className="note good" role="status">
        {texts.mailWithALink(email, until)}
      </p>
    )
  // Browsers offer the clipboard to pages over https and of this machine alone.
  const { clipboard } = navigator as { readonly clipboard?: Clipboard }
  return (
    <div role="status">
      <p>{texts.thisServiceSendsNoMail(email, until)}</p>
      <p>
        <code className="secret">{url}</code>
      </p>
      {clipboard !== undefined && (
        <button
          type="button"
          className="quiet"
          onClick={() => void clipboard.writeText(url).then(() => setCopied(true))}
        >
          {isCopied ? texts.copied : texts.copyLink}
        </button>
      )}
    </div>
  )
}
