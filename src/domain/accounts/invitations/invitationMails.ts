// Mails invitations (developer-api.md 11.5): written with the invitation itself, so that no end of the process loses it; a worker mails it. Its
// token is made at that moment and kept as a hash alone, so that a try that is repeated sends another link and voids the former.
import { Clock, Effect, Option, Schema } from "effect"
import { cut } from "../../../platform/bounds/cut.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { headerLine } from "../../../platform/mail/addresses.ts"
import { type NoticeKind, noticeRounds } from "../../../platform/mail/notices.ts"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { hashToken, hexOfToken, randomToken } from "../../../platform/sealing/Secrets.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { OrgRole } from "../Caller.ts"
import { invitationUrl, mayStillInvite, roleWords } from "./invitationRows.ts"

const Row = Schema.Struct({
  email: Schema.String,
  role: OrgRole,
  org_name: Schema.String,
  inviter: Schema.NullOr(Schema.String),
  expires_on: Schema.Date
})
type Row = typeof Row.Type

/** Characters of a name that somebody chose, in a mail to somebody else. */
const NAME_LENGTH = 100
const shortName = (name: string) => cut(headerLine(name), NAME_LENGTH)

const letterOf = ({ email, expires_on, inviter, org_name, role }: Row, url: string, baseUrl: string) => ({
  subject: `Invitation to ${shortName(org_name)}`,
  text: `${inviter === null ? "You are invited" : `${shortName(inviter)} invites you`} to join ${shortName(org_name)} at ${baseUrl} as ${roleWords[role]}. The invitation is for ${email}.

Open it until ${formatDateTime(expires_on)} UTC:
${url}

It works once. If you do not know who invites you, ignore this mail: nothing happens unless you accept.
`
})

export const invitationNotices = Effect.gen(function* () {
  const sql = yield* Sql
  const { baseUrl, smtpUrl } = yield* AppConfig

  const setStatus = (noticeId: number, status: "sent" | "failed") => sql`
    UPDATE invitations i SET status = ${status} FROM invitation_notices n
    WHERE n.notice_id = ${noticeId} AND i.user_id = n.user_id AND i.status = 'queued'`

  const mail: NoticeKind["mail"] = Effect.fnUntraced(function* (noticeId) {
    const token = randomToken("")
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    // A mail that nobody sends would only keep a usable link in the database.
    const row = Option.isNone(smtpUrl)
      ? undefined
      : yield* rowOf(Row)(sql`
          UPDATE invitations i SET token_hash = ${hashToken(token)}
          FROM invitation_notices n, users u, people p, organizations o
          WHERE n.notice_id = ${noticeId} AND i.user_id = n.user_id AND i.status = 'queued' AND i.expires_on > ${nowDate}
            AND u.user_id = i.user_id AND u.status = 'invited' AND p.person_id = u.person_id AND o.org_id = u.org_id
            AND ${mayStillInvite(sql)}
          RETURNING p.email, u.role, o.name AS org_name, i.expires_on,
            (SELECT b.name FROM users b WHERE b.user_id = i.invited_by) AS inviter`)
    if (row === undefined) {
      yield* setStatus(noticeId, "failed")
      return null
    }
    return {
      orgId: null,
      to: [row.email],
      ...letterOf(row, invitationUrl(baseUrl, token), baseUrl),
      messageId: `invitation-${noticeId}-${hexOfToken(token).slice(0, 16)}`,
      kept: (text) => text.replaceAll(token, "…"),
      refused: setStatus(noticeId, "failed")
    }
  })

  const markSent: NoticeKind["told"] = (noticeId) => setStatus(noticeId, "sent")

  return { table: "invitation_notices", whose: "user_id", mail, told: markSent } satisfies NoticeKind as NoticeKind
})

/** Rounds in a worker process, every few seconds. */
export const InvitationRounds = noticeRounds("mailing invitations", invitationNotices)
