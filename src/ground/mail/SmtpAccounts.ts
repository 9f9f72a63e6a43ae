// An organization's SMTP accounts, made by the operator (decisions P3); passwords are encrypted (decisions O9).
import { Context, DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { NotFound, ValidationError } from "../primitives/errors.ts"
import { sealedColumn } from "../sealing/SealedColumn.ts"
import { Secrets } from "../sealing/Secrets.ts"
import { rowOf, rowsOf } from "../sql/rows.ts"
import { Sql } from "../sql/Sql.ts"
import { orSqlDefect } from "../sql/sqlDefect.ts"
import { mailboxes } from "./addresses.ts"

const securities = ["tls", "starttls", "none"] as const

export type Security = (typeof securities)[number]

export interface NewSmtpAccount {
  readonly name: string
  readonly host: string
  readonly port: number
  /** TLS from the first byte, STARTTLS required, or neither. */
  readonly security: Security
  readonly username?: string
  readonly password?: Redacted.Redacted
  readonly from_address: string
  readonly from_name?: string
  /** The first account of an organization is its default anyway. */
  readonly is_default?: boolean
}

export const SmtpAccount = Schema.Struct({
  smtp_account_id: Schema.Int,
  org_id: Schema.Int,
  name: Schema.String,
  host: Schema.String,
  port: Schema.Int,
  security: Schema.Literals(securities),
  username: Schema.NullOr(Schema.String),
  from_address: Schema.String,
  from_name: Schema.NullOr(Schema.String),
  is_default: Schema.Boolean,
  /** Raised by every change: open connections of an older version are not used again. */
  version: Schema.Int,
  created_on: Schema.Date
})
export type SmtpAccount = typeof SmtpAccount.Type

const Row = Schema.Struct({ ...SmtpAccount.fields, password: Schema.NullOr(Schema.Uint8Array) })

export const smtpPassword = sealedColumn({
  table: "smtp_accounts",
  key: ["smtp_account_id"],
  column: "password",
  form: "bytea",
  binds: ["org_id", "host"],
  context: ({ host, org_id }) => `smtp_accounts/${org_id}/${host}`
})

const context = (orgId: number, host: string) => smtpPassword.contextOf({ org_id: orgId, host })

export class SmtpAccounts extends Context.Service<
  SmtpAccounts,
  {
    readonly create: (orgId: number, account: NewSmtpAccount) => Effect.Effect<SmtpAccount, ValidationError | NotFound>
    readonly list: (orgId: number) => Effect.Effect<ReadonlyArray<SmtpAccount>>
    readonly setDefault: (orgId: number, accountId: number) => Effect.Effect<SmtpAccount, NotFound>
    readonly remove: (orgId: number, accountId: number) => Effect.Effect<SmtpAccount, NotFound>
    /** The named account, else the organization's default one, else `undefined`. */
    readonly pick: (
      orgId: number,
      accountId: number | undefined
    ) => Effect.Effect<(SmtpAccount & { readonly secret: Redacted.Redacted | null }) | undefined, NotFound>
  }
>()("millrace/mail/SmtpAccounts") {
  static readonly layer = Layer.effect(
    SmtpAccounts,
    Effect.gen(function* () {
      const sql = yield* Sql
      const secrets = yield* Secrets
      const columns = sql.literal(
        "smtp_account_id, org_id, name, host, port, security, username, from_address, from_name, is_default, version, created_on"
      )
      const missing = (accountId: number) => new NotFound({ message: `No SMTP account with id ${accountId}.` })
      const lock = (orgId: number) => sql`SELECT org_id FROM organizations WHERE org_id = ${orgId} FOR UPDATE`
      const undoDefault = (orgId: number) =>
        sql`UPDATE smtp_accounts SET is_default = false WHERE org_id = ${orgId} AND is_default`

      const create = Effect.fn("SmtpAccounts.create")(
        function* (orgId: number, account: NewSmtpAccount) {
          const [from] = mailboxes(account.from_address)
          if (from === undefined) return yield* new ValidationError({ message: "from_address: not an email address." })
          if (!Number.isInteger(account.port) || account.port < 1 || account.port > 65535)
            return yield* new ValidationError({ message: "port: must be between 1 and 65535." })
          if ((yield* lock(orgId)).length === 0)
            return yield* new NotFound({ message: `No organization with id ${orgId}.` })
          const others = yield* sql`SELECT 1 FROM smtp_accounts WHERE org_id = ${orgId} LIMIT 1`
          const isDefault = account.is_default === true || others.length === 0
          if (isDefault) yield* undoDefault(orgId)
          const now = DateTime.toDate(yield* DateTime.now)
          const sealed = account.password
            ? secrets.encrypt(Redacted.value(account.password), context(orgId, account.host))
            : null
          const row = yield* rowOf(SmtpAccount)(sql`
            INSERT INTO smtp_accounts (org_id, name, host, port, security, username, password, from_address, from_name, is_default, created_on)
            VALUES (${orgId}, ${account.name}, ${account.host}, ${account.port}, ${account.security}, ${account.username ?? null},
                    ${sealed}, ${from.address}, ${account.from_name ?? null}, ${isDefault}, ${now})
            RETURNING ${columns}`)
          return row!
        },
        sql.withTransaction,
        orSqlDefect
      )

      const list = Effect.fn("SmtpAccounts.list")(
        (orgId: number) =>
          rowsOf(SmtpAccount)(
            sql`SELECT ${columns} FROM smtp_accounts WHERE org_id = ${orgId} ORDER BY smtp_account_id`
          ),
        orSqlDefect
      )

      const setDefault = Effect.fn("SmtpAccounts.setDefault")(
        function* (orgId: number, accountId: number) {
          yield* lock(orgId)
          yield* undoDefault(orgId)
          const row = yield* rowOf(SmtpAccount)(sql`
            UPDATE smtp_accounts SET is_default = true, version = version + 1
            WHERE org_id = ${orgId} AND smtp_account_id = ${accountId} RETURNING ${columns}`)
          return row ?? (yield* missing(accountId))
        },
        sql.withTransaction,
        orSqlDefect
      )

      const remove = Effect.fn("SmtpAccounts.remove")(function* (orgId: number, accountId: number) {
        const row = yield* rowOf(SmtpAccount)(sql`
            DELETE FROM smtp_accounts WHERE org_id = ${orgId} AND smtp_account_id = ${accountId} RETURNING ${columns}`)
        return row ?? (yield* missing(accountId))
      }, orSqlDefect)

      const pick = Effect.fn("SmtpAccounts.pick")(function* (orgId: number, accountId: number | undefined) {
        const which = accountId === undefined ? sql`is_default` : sql`smtp_account_id = ${accountId}`
        const row = yield* rowOf(Row)(sql`
            SELECT ${columns}, password FROM smtp_accounts WHERE org_id = ${orgId} AND ${which}`)
        if (row === undefined) return accountId === undefined ? undefined : yield* missing(accountId)
        const { password, ...account } = row
        if (password === null) return { ...account, secret: null }
        const plain = yield* secrets.decrypt(password, context(orgId, row.host)).pipe(Effect.orDie)
        return { ...account, secret: Redacted.make(plain) }
      }, orSqlDefect)

      return SmtpAccounts.of({ create, list, setDefault, remove, pick })
    })
  )
}
