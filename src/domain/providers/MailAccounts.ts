// Mail accounts of an organization, managed by its owners and admins (decisions P3, W9). A server must have an address that the service may
// call: checked when the account is saved, and again at each connection.
import { randomUUID } from "node:crypto"
import { Context, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import type { AuditKind } from "../../platform/audit/auditKinds.ts"
import { Mail } from "../../platform/mail/Mail.ts"
import { SmtpAccounts } from "../../platform/mail/SmtpAccounts.ts"
import { isMoved, type SmtpAccount, type SmtpAccountPatch } from "../../platform/mail/smtpRows.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import { NotFound, type Restricted, ValidationError } from "../../platform/primitives/errors.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { byAdministrator } from "../administration/administrators.ts"
import { makeAccountUses } from "./accountUses.ts"
import {
  type AccountUses,
  accountsPerOrganization,
  type MailAccountPatch,
  type MailAccountView,
  mailAccountView,
  type NewMailAccount,
  type Tried
} from "./providerSchemas.ts"

const Address = Schema.Struct({ email: Schema.String })

type OfCaller<A> = (caller: CallerShape, accountId: number) => Effect.Effect<A, Restricted | NotFound>

export class MailAccounts extends Context.Service<
  MailAccounts,
  {
    readonly list: (caller: CallerShape) => Effect.Effect<ReadonlyArray<MailAccountView>, Restricted>
    readonly create: (
      caller: CallerShape,
      account: NewMailAccount
    ) => Effect.Effect<MailAccountView, Restricted | NotFound | ValidationError>
    readonly update: (
      caller: CallerShape,
      accountId: number,
      patch: MailAccountPatch
    ) => Effect.Effect<MailAccountView, Restricted | NotFound | ValidationError>
    readonly remove: OfCaller<MailAccountView>
    /** Sends the caller a mail by it; one that does not go out is no failure but the answer. */
    readonly try: OfCaller<Tried>
    readonly uses: OfCaller<AccountUses>
  }
>()("millrace/providers/MailAccounts") {
  static readonly layer = Layer.effect(
    MailAccounts,
    Effect.gen(function* () {
      const sql = yield* Sql
      const accounts = yield* SmtpAccounts
      const { mailServers } = yield* Outbound
      const mail = yield* Mail
      const audit = yield* AuditLog
      const usesOf = yield* makeAccountUses

      const recordEvent = (
        caller: CallerShape,
        event: Extract<AuditKind, `smtp_account.${string}`>,
        { host, name, smtp_account_id }: SmtpAccount,
        more: Readonly<Record<string, unknown>> = {}
      ) =>
        audit.record({
          event,
          orgId: caller.orgId,
          userId: caller.userId,
          details: { smtp_account_id, name, host, ...more }
        })

      const findAccount = Effect.fnUntraced(function* (caller: CallerShape, accountId: number) {
        yield* byAdministrator(caller)
        const allAccounts = yield* accounts.list(caller.orgId)
        const matchingAccount = allAccounts.find(({ smtp_account_id }) => smtp_account_id === accountId)
        return matchingAccount ?? (yield* new NotFound({ message: `No SMTP account with id ${accountId}.` }))
      })

      const reachable = (host: string, port: number) =>
        Effect.mapError(
          mailServers.check({ host, port }),
          ({ message, reason }) =>
            new ValidationError({ message: `${reason === "port_refused" ? "port" : "host"}: ${message}` })
        )

      const list = Effect.fn("MailAccounts.list")(function* (caller: CallerShape) {
        yield* byAdministrator(caller)
        return (yield* accounts.list(caller.orgId)).map(mailAccountView)
      })

      const create = Effect.fn("MailAccounts.create")(function* (caller: CallerShape, account: NewMailAccount) {
        yield* byAdministrator(caller)
        const { from_name, port = 587, security = "starttls", username, ...rest } = account
        if (account.password !== undefined && (username ?? null) === null)
          return yield* new ValidationError({ message: "username: needed with a password." })
        yield* reachable(account.host, port)
        const allAccounts = yield* accounts.list(caller.orgId)
        if (allAccounts.length >= accountsPerOrganization)
          return yield* new ValidationError({ message: `There are at most ${accountsPerOrganization} mail accounts.` })
        const named = {
          ...(typeof username === "string" && { username }),
          ...(typeof from_name === "string" && { from_name })
        }
        return yield* sql
          .withTransaction(
            Effect.tap(accounts.create(caller.orgId, { ...rest, ...named, port, security, guarded: true }), (made) =>
              recordEvent(caller, "smtp_account.created", made, { allowed: made.allowed })
            )
          )
          .pipe(Effect.map(mailAccountView), orSqlDefect)
      })

      const update = Effect.fn("MailAccounts.update")(function* (
        caller: CallerShape,
        accountId: number,
        patch: MailAccountPatch
      ) {
        const formerAccount = yield* findAccount(caller, accountId)
        const change: SmtpAccountPatch = patch
        if (isMoved(formerAccount, change))
          yield* reachable(patch.host ?? formerAccount.host, patch.port ?? formerAccount.port)
        const changed = Object.keys(patch)
        return yield* sql
          .withTransaction(
            Effect.tap(accounts.update(caller.orgId, accountId, change), (after) =>
              recordEvent(caller, "smtp_account.changed", after, {
                changed,
                ...(patch.allowed === undefined ? {} : { allowed: after.allowed })
              })
            )
          )
          .pipe(Effect.map(mailAccountView), orSqlDefect)
      })

      const remove = Effect.fn("MailAccounts.remove")(function* (caller: CallerShape, accountId: number) {
        yield* findAccount(caller, accountId)
        return yield* sql
          .withTransaction(
            Effect.tap(accounts.remove(caller.orgId, accountId), (gone) =>
              recordEvent(caller, "smtp_account.removed", gone)
            )
          )
          .pipe(Effect.map(mailAccountView), orSqlDefect)
      })

      const attempt = Effect.fn("MailAccounts.try")(function* (caller: CallerShape, accountId: number) {
        const account = yield* findAccount(caller, accountId)
        const to = yield* rowOf(Address)(sql`SELECT email FROM people WHERE person_id = ${caller.personId}`)
        yield* recordEvent(caller, "smtp_account.tried", account)
        const outcome: Tried = yield* mail
          .send({
            orgId: caller.orgId,
            accountId,
            to: to!.email,
            subject: `The mail account ${account.name} works`,
            text: `This mail was sent to you to try the mail account ${account.name} (${account.host}).\n`,
            messageId: `smtp-account-${randomUUID()}`
          })
          .pipe(
            Effect.as({ works: true, message: null }),
            Effect.catchTag(["MailTransportError", "ValidationError", "TooManyRequests"], ({ message }) =>
              Effect.succeed({ works: false, message })
            )
          )
        return outcome
      }, orSqlDefect)

      const uses = Effect.fn("MailAccounts.uses")(function* (caller: CallerShape, accountId: number) {
        yield* findAccount(caller, accountId)
        return yield* usesOf(caller, "smtp_account_id", accountId)
      }, orSqlDefect)

      return MailAccounts.of({ list, create, update, remove, try: attempt, uses })
    })
  )
}
