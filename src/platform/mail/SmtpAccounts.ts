// Manages an organization's SMTP accounts (decisions P3); passwords are encrypted (decisions O9).
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { NotFound, ValidationError } from "../primitives/errors.ts"
import { Secrets } from "../sealing/Secrets.ts"
import { allowedWorkspaces, boundWorkspaces, mayUse, type UsedBy } from "../sharing/allowedUse.ts"
import { withheldText } from "../sharing/withheldText.ts"
import { rowOf, rowsOf } from "../sql/rows.ts"
import { Sql } from "../sql/Sql.ts"
import { orSqlDefect } from "../sql/sqlDefect.ts"
import { mailboxes } from "./addresses.ts"
import {
  changedAccount,
  type NewSmtpAccount,
  type SmtpAccount,
  type SmtpAccountPatch,
  SmtpRow,
  StoredSmtpAccount,
  smtpAccountOf,
  smtpColumns,
  smtpPassword
} from "./smtpRows.ts"

type Opened = SmtpAccount & { readonly secret: Redacted.Redacted | null }

const context = (orgId: number, host: string) => smtpPassword.contextOf({ org_id: orgId, host })

export class SmtpAccounts extends Context.Service<
  SmtpAccounts,
  {
    readonly create: (orgId: number, account: NewSmtpAccount) => Effect.Effect<SmtpAccount, ValidationError | NotFound>
    /** Moving the account to another server or user requires its password again, so that nobody gets at the password that way. */
    readonly update: (
      orgId: number,
      accountId: number,
      patch: SmtpAccountPatch
    ) => Effect.Effect<SmtpAccount, ValidationError | NotFound>
    readonly list: (orgId: number) => Effect.Effect<ReadonlyArray<SmtpAccount>>
    readonly setDefault: (orgId: number, accountId: number) => Effect.Effect<SmtpAccount, NotFound>
    readonly remove: (orgId: number, accountId: number) => Effect.Effect<SmtpAccount, NotFound>
    /**
     * Opens the named account, else the organization's default one; `undefined`: there is none; `withheld`: the caller may not use it
     * (A26).
     */
    readonly pick: (
      orgId: number,
      accountId: number | undefined,
      by: UsedBy
    ) => Effect.Effect<Opened | undefined | "withheld", NotFound>
  }
>()("millrace/mail/SmtpAccounts") {
  static readonly layer = Layer.effect(
    SmtpAccounts,
    Effect.gen(function* () {
      const sql = yield* Sql
      const secrets = yield* Secrets
      const columns = sql.literal(smtpColumns)
      const missing = (accountId: number) => new NotFound({ message: `No SMTP account with id ${accountId}.` })
      const lock = (orgId: number) => sql`SELECT org_id FROM organizations WHERE org_id = ${orgId} FOR UPDATE`
      const undoDefault = (orgId: number) =>
        sql`UPDATE smtp_accounts SET is_default = false WHERE org_id = ${orgId} AND is_default`

      const sealedFor = (orgId: number, host: string, password: Redacted.Redacted | undefined) =>
        password === undefined ? null : secrets.encrypt(Redacted.value(password), context(orgId, host))

      const create = Effect.fn("SmtpAccounts.create")(
        function* (orgId: number, account: NewSmtpAccount) {
          const [from] = mailboxes(account.from_address)
          if (from === undefined) return yield* new ValidationError({ message: "from_address: not an email address." })
          if (!Number.isInteger(account.port) || account.port < 1 || account.port > 65535)
            return yield* new ValidationError({ message: "port: must be between 1 and 65535." })
          if ((yield* lock(orgId)).length === 0)
            return yield* new NotFound({ message: `No organization with id ${orgId}.` })
          const otherAccounts = yield* sql`SELECT 1 FROM smtp_accounts WHERE org_id = ${orgId} LIMIT 1`
          const isDefault = account.is_default === true || otherAccounts.length === 0
          if (isDefault) yield* undoDefault(orgId)
          const nowDate = DateTime.toDate(yield* DateTime.now)
          const sealed = sealedFor(orgId, account.host, account.password)
          const allowed = boundWorkspaces(sql, yield* allowedWorkspaces(sql, orgId, account.allowed))
          const row = yield* rowOf(StoredSmtpAccount)(sql`
            INSERT INTO smtp_accounts (org_id, name, host, port, security, username, password, from_address, from_name, is_default, guarded, allowed_workspaces, created_on)
            VALUES (${orgId}, ${account.name}, ${account.host}, ${account.port}, ${account.security}, ${account.username ?? null},
                    ${sealed}, ${from.address}, ${account.from_name ?? null}, ${isDefault}, ${account.guarded === true}, ${allowed}, ${nowDate})
            RETURNING ${columns}`)
          return smtpAccountOf(row!)
        },
        sql.withTransaction,
        orSqlDefect
      )

      const update = Effect.fn("SmtpAccounts.update")(
        function* (orgId: number, accountId: number, patch: SmtpAccountPatch) {
          yield* lock(orgId)
          const storedRow = yield* rowOf(StoredSmtpAccount)(sql`
            SELECT ${columns} FROM smtp_accounts WHERE org_id = ${orgId} AND smtp_account_id = ${accountId} FOR UPDATE`)
          if (storedRow === undefined) return yield* missing(accountId)
          const previousAccount = smtpAccountOf(storedRow)
          const allowed =
            patch.allowed === undefined
              ? sql`allowed_workspaces`
              : boundWorkspaces(sql, yield* allowedWorkspaces(sql, orgId, patch.allowed))
          const [from] = mailboxes(patch.from_address ?? previousAccount.from_address)
          if (from === undefined) return yield* new ValidationError({ message: "from_address: not an email address." })
          const { after, keepsPassword } = yield* Effect.fromResult(changedAccount(previousAccount, patch))
          if (after.is_default && !previousAccount.is_default) yield* undoDefault(orgId)
          const row = yield* rowOf(StoredSmtpAccount)(sql`
            UPDATE smtp_accounts SET name = ${after.name}, host = ${after.host}, port = ${after.port}, security = ${after.security},
              username = ${after.username}, from_address = ${from.address}, from_name = ${after.from_name},
              is_default = ${after.is_default}, guarded = ${after.guarded}, allowed_workspaces = ${allowed}, version = version + 1,
              password = CASE WHEN ${keepsPassword} THEN password ELSE ${sealedFor(orgId, after.host, patch.password)}::bytea END
            WHERE smtp_account_id = ${accountId} RETURNING ${columns}`)
          return smtpAccountOf(row!)
        },
        sql.withTransaction,
        orSqlDefect
      )

      const list = Effect.fn("SmtpAccounts.list")(
        (orgId: number) =>
          Effect.map(
            rowsOf(StoredSmtpAccount)(
              sql`SELECT ${columns} FROM smtp_accounts WHERE org_id = ${orgId} ORDER BY smtp_account_id`
            ),
            (rows) => rows.map(smtpAccountOf)
          ),
        orSqlDefect
      )

      const setDefault = Effect.fn("SmtpAccounts.setDefault")(
        function* (orgId: number, accountId: number) {
          yield* lock(orgId)
          yield* undoDefault(orgId)
          const row = yield* rowOf(StoredSmtpAccount)(sql`
            UPDATE smtp_accounts SET is_default = true, version = version + 1
            WHERE org_id = ${orgId} AND smtp_account_id = ${accountId} RETURNING ${columns}`)
          return row === undefined ? yield* missing(accountId) : smtpAccountOf(row)
        },
        sql.withTransaction,
        orSqlDefect
      )

      const remove = Effect.fn("SmtpAccounts.remove")(function* (orgId: number, accountId: number) {
        const row = yield* rowOf(StoredSmtpAccount)(sql`
            DELETE FROM smtp_accounts WHERE org_id = ${orgId} AND smtp_account_id = ${accountId} RETURNING ${columns}`)
        return row === undefined ? yield* missing(accountId) : smtpAccountOf(row)
      }, orSqlDefect)

      const pick = Effect.fn("SmtpAccounts.pick")(function* (orgId: number, accountId: number | undefined, by: UsedBy) {
        const which = accountId === undefined ? sql`is_default` : sql`smtp_account_id = ${accountId}`
        const row = yield* rowOf(SmtpRow)(sql`
            SELECT ${columns}, password, ${mayUse(sql, by)} AS may_use FROM smtp_accounts WHERE org_id = ${orgId} AND ${which}`)
        if (row === undefined) return accountId === undefined ? undefined : yield* missing(accountId)
        if (!row.may_use)
          return accountId === undefined
            ? ("withheld" as const)
            : yield* new NotFound({ message: `The SMTP account ${accountId} ${withheldText}.` })
        const { may_use: _, password, ...stored } = row
        const account = smtpAccountOf(stored)
        if (password === null) return { ...account, secret: null }
        const plainPassword = yield* secrets.decrypt(password, context(orgId, row.host)).pipe(Effect.orDie)
        return { ...account, secret: Redacted.make(plainPassword) }
      }, orSqlDefect)

      return SmtpAccounts.of({ create, update, list, setDefault, remove, pick })
    })
  )
}
