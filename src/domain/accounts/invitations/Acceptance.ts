// Accepting an invitation (developer-api.md 11.5): signed in where the person has a password, else by setting one. A link works once; whether
// it still does, and whether its sender may still invite, is asked anew in the transaction that makes the user active.
import { Context, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import type { PlacesFull } from "../../../platform/fairness/FairPlaces.ts"
import type { ValidationError } from "../../../platform/primitives/errors.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../platform/sql/transact.ts"
import { hashPasswordInTurn } from "../passwords.ts"
import { makeStoredPasswords } from "../storedPasswords.ts"
import { type OpenInvitation, openInvitation } from "./invitationRows.ts"

/** The link was used, withdrawn or replaced, has expired, or its sender may no longer invite; nobody is told which. */
export class InvitationInvalid extends Schema.TaggedError<InvitationInvalid>()("InvitationInvalid", {}) {}

export class Acceptance extends Context.Service<
  Acceptance,
  {
    /** Reads what a link says, without using it up. */
    readonly peek: (token: string) => Effect.Effect<OpenInvitation, InvitationInvalid>
    /** Accepts for a person who is signed in. */
    readonly join: (token: string, personId: number) => Effect.Effect<OpenInvitation, InvitationInvalid>
    /** Accepts for who has no password yet, and sets the first one. */
    readonly joinWithPassword: (
      token: string,
      password: string
    ) => Effect.Effect<OpenInvitation, InvitationInvalid | ValidationError | PlacesFull>
  }
>()("millrace/accounts/Acceptance") {
  static readonly layer = Layer.effect(
    Acceptance,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog
      const { checkLength, store } = yield* makeStoredPasswords

      const readOpen = Effect.fnUntraced(function* (token: string) {
        return (yield* openInvitation(sql, token)) ?? (yield* new InvitationInvalid())
      })

      /** Accepts in a transaction. The person is locked first, then the organization, as wherever both are; what is read then stays. */
      const accept = Effect.fnUntraced(function* (
        token: string,
        allowed: (invitation: OpenInvitation) => boolean,
        before: (invitation: OpenInvitation) => Effect.Effect<unknown>
      ) {
        const { org_id, person_id } = yield* readOpen(token)
        yield* sql`SELECT 1 FROM people WHERE person_id = ${person_id} FOR NO KEY UPDATE`
        yield* sql`SELECT 1 FROM organizations WHERE org_id = ${org_id} FOR UPDATE`
        const invitation = yield* readOpen(token)
        if (!allowed(invitation)) return yield* new InvitationInvalid()
        yield* before(invitation)
        const { role, user_id: userId } = invitation
        yield* sql`UPDATE users SET status = 'active' WHERE user_id = ${userId}`
        yield* sql`DELETE FROM invitations WHERE user_id = ${userId}`
        const details = { role, status: "active" }
        yield* audit.record({ event: "user.invitation_accepted", orgId: org_id, personId: person_id, userId, details })
        return invitation
      })

      const join = Effect.fn("Acceptance.join")(
        (token: string, personId: number) =>
          accept(
            token,
            ({ has_password, person_id }) => has_password && person_id === personId,
            () => Effect.void
          ),
        transact(sql),
        orSqlDefect
      )

      const setsPassword = ({ has_password, unproven }: OpenInvitation) => !has_password && !unproven

      const joinWithPassword = Effect.fn("Acceptance.joinWithPassword")(function* (token: string, password: string) {
        yield* checkLength(password)
        // Hashed before the transaction: waiting for a turn holds no connection and no lock.
        const invitation = yield* readOpen(token)
        if (!setsPassword(invitation)) return yield* new InvitationInvalid()
        const hash = yield* hashPasswordInTurn(password, { owner: `person ${invitation.person_id}`, known: true })
        return yield* transact(sql)(
          accept(token, setsPassword, ({ person_id }) => Effect.orDie(store(person_id, hash, "invitation")))
        )
      }, orSqlDefect)

      return Acceptance.of({ peek: Effect.fn("Acceptance.peek")(readOpen, orSqlDefect), join, joinWithPassword })
    })
  )
}
