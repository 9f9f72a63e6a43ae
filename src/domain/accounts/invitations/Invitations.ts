// Invitations to an organization (developer-api.md 11.5): sent, sent anew, withdrawn, by owners and admins. The mail goes out by a worker
// (invitationMails.ts), from the installation's own server: the link may set a password, which opens every organization of the person,
// so that no organization's mail server is let to read it. Without a server the link is told to who has sent the invitation.
import { Clock, Context, Effect, Layer, Option } from "effect"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { Conflict, NotFound, type Restricted, TooManyRequests } from "../../../platform/primitives/errors.ts"
import { hashToken, randomToken } from "../../../platform/sealing/Secrets.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../platform/sql/transact.ts"
import type { Invitation, InvitedUser } from "../accountSchemas.ts"
import type { CallerShape } from "../Caller.ts"
import { countInWindow } from "../countInWindow.ts"
import { makeMemberRules, OrgUser, orgUserColumns } from "../memberRules.ts"
import { expiryOf, invitationUrl } from "./invitationRows.ts"

type Invited = typeof InvitedUser.Type

const HOUR = 3_600_000
/** Mails to one address in an hour; all of an organization in a day are bounded by its quota of mails. */
const MAILS_AN_HOUR = 5

const eventOf = ({ invitation }: OrgUser) => (invitation === null ? "user.invitation_sent" : "user.invitation_resent")

const notInvited = new Conflict({ message: "Only somebody who has not joined yet can be invited." })

export class Invitations extends Context.Service<
  Invitations,
  {
    /** Writes one in the caller's transaction, for a user who was just added. */
    readonly issue: (caller: CallerShape, user: OrgUser) => Effect.Effect<Invited, TooManyRequests>
    /** Sends another one; the former is worth nothing from then on. */
    readonly send: (
      caller: CallerShape,
      userId: number
    ) => Effect.Effect<Invited, Restricted | NotFound | Conflict | TooManyRequests>
    /** Ends it. The user stays invited, until they are removed or invited anew. */
    readonly withdraw: (caller: CallerShape, userId: number) => Effect.Effect<OrgUser, Restricted | NotFound | Conflict>
    /** Answers the link to the operator, whether the service sends mail or not. */
    readonly sendByOperator: (userId: number) => Effect.Effect<Invited, NotFound | Conflict>
  }
>()("millrace/accounts/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog
      const { baseUrl, mailPerDay, smtpUrl } = yield* AppConfig
      const { audited, locked, mayManage, ownersOnly } = yield* makeMemberRules
      const mails = Option.isSome(smtpUrl)

      const countMail = Effect.fnUntraced(function* ({ org_id, user_id }: OrgUser) {
        const ofUser = { max: MAILS_AN_HOUR, windowMillis: HOUR }
        if (!(yield* countInWindow(sql, `invitation ${user_id}`, ofUser)))
          return yield* new TooManyRequests({
            message: `They were mailed ${MAILS_AN_HOUR} invitations within an hour.`,
            retryAfterSeconds: 3600
          })
        const ofOrganization = { max: mailPerDay, windowMillis: 24 * HOUR }
        if (!(yield* countInWindow(sql, `invitations ${org_id}`, ofOrganization)))
          return yield* new TooManyRequests({
            message: `The organization has sent ${mailPerDay} invitations within a day.`,
            retryAfterSeconds: 3600
          })
      }, orSqlDefect)

      const writeInvitation = Effect.fnUntraced(function* (
        user: OrgUser,
        by: number | null,
        status: "queued" | "shown"
      ) {
        const millis = yield* Clock.currentTimeMillis
        const [now, expires] = [new Date(millis), expiryOf(millis)]
        // A mail's token is made when it goes out: until then nobody has one.
        const token = status === "shown" ? randomToken("") : undefined
        const hash = token === undefined ? null : hashToken(token)
        yield* sql`
          INSERT INTO invitations (user_id, token_hash, status, invited_by, created_on, expires_on)
          VALUES (${user.user_id}, ${hash}, ${status}, ${by}, ${now}, ${expires})
          ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, status = excluded.status,
            invited_by = excluded.invited_by, created_on = excluded.created_on, expires_on = excluded.expires_on`
        yield* sql`DELETE FROM invitation_notices WHERE user_id = ${user.user_id}`
        if (token === undefined)
          yield* sql`INSERT INTO invitation_notices (user_id, created_on) VALUES (${user.user_id}, ${now})`
        const invitation: Invitation = { status, invited_on: formatDateTime(now), expires_on: formatDateTime(expires) }
        const invited: Invited = { ...user, invitation }
        return token === undefined ? invited : { ...invited, invitation_url: invitationUrl(baseUrl, token) }
      }, orSqlDefect)

      const issue: Invitations["Service"]["issue"] = Effect.fnUntraced(function* (caller, user) {
        if (mails) yield* countMail(user)
        const { invitation_url, ...invited } = yield* writeInvitation(user, caller.userId, mails ? "queued" : "shown")
        yield* audited(caller, eventOf(user), invited)
        // What a step of a run is answered stands in the run's log, which others read.
        return invitation_url === undefined || caller.credential.type === "automation"
          ? invited
          : { ...invited, invitation_url }
      })

      const send = Effect.fn("Invitations.send")(
        function* (caller: CallerShape, userId: number) {
          yield* mayManage(caller)
          const user = yield* locked(caller, userId)
          yield* ownersOnly(caller, user)
          if (user.status !== "invited") return yield* notInvited
          return yield* issue(caller, user)
        },
        transact(sql),
        orSqlDefect
      )

      const withdraw = Effect.fn("Invitations.withdraw")(
        function* (caller: CallerShape, userId: number) {
          yield* mayManage(caller)
          const user = yield* locked(caller, userId)
          yield* ownersOnly(caller, user)
          if (user.invitation === null || user.invitation.status === "withdrawn")
            return yield* new Conflict({ message: "They have no invitation that could be withdrawn." })
          yield* sql`UPDATE invitations SET token_hash = NULL, status = 'withdrawn' WHERE user_id = ${userId}`
          yield* sql`DELETE FROM invitation_notices WHERE user_id = ${userId}`
          yield* audited(caller, "user.invitation_withdrawn", user)
          return { ...user, invitation: { ...user.invitation, status: "withdrawn" as const } }
        },
        transact(sql),
        orSqlDefect
      )

      const sendByOperator = Effect.fn("Invitations.sendByOperator")(
        function* (userId: number) {
          const user = yield* rowOf(OrgUser)(sql`
            SELECT ${sql.literal(orgUserColumns)} FROM users u JOIN people p USING (person_id)
            WHERE u.user_id = ${userId} AND u.status <> 'removed' FOR UPDATE OF u`)
          if (user === undefined) return yield* new NotFound({ message: `No user with id ${userId}.` })
          if (user.status !== "invited") return yield* notInvited
          const { org_id: orgId, role, status } = user
          yield* audit.record({
            event: eventOf(user),
            orgId,
            userId,
            details: { role, status, by: "operator" }
          })
          return yield* writeInvitation(user, null, "shown")
        },
        transact(sql),
        orSqlDefect
      )

      return Invitations.of({ issue, send, withdraw, sendByOperator })
    })
  )
}
