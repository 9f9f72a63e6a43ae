// Row of an SMTP account, and the changes to it (decisions P3, O9).
import { type Redacted, Result, Schema } from "effect"
import { ValidationError } from "../primitives/errors.ts"
import { sealedColumn } from "../sealing/SealedColumn.ts"
import { type Allowed, AllowedColumn, allowedColumn, allowedOf } from "../sharing/allowedUse.ts"

export const securities = ["tls", "starttls", "none"] as const

type Security = (typeof securities)[number]

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
  /** True if it becomes the default; the first account of an organization is that anyway. */
  readonly is_default?: boolean
  /** True if the organization itself made it: its server has to pass the rules of outbound connections (decisions W9). */
  readonly guarded?: boolean
  /** Workspaces that may use it. Omitted: nobody but the organization itself. */
  readonly allowed?: Allowed
}

export const StoredSmtpAccount = Schema.Struct({
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
  /** Version, raised by every change: open connections of an older version are not used again. */
  version: Schema.Int,
  /** True if the organization itself made or moved it, not the operator. */
  guarded: Schema.Boolean,
  password_set: Schema.Boolean,
  allowed_workspaces: AllowedColumn,
  created_on: Schema.Date
})
type StoredSmtpAccount = typeof StoredSmtpAccount.Type
export interface SmtpAccount extends Omit<StoredSmtpAccount, "allowed_workspaces"> {
  readonly allowed: Allowed
}

export const smtpAccountOf = ({ allowed_workspaces, ...row }: StoredSmtpAccount): SmtpAccount => ({
  ...row,
  allowed: allowedOf(allowed_workspaces)
})

/** Row of an account that is to be used, and whether it may be. */
export const SmtpRow = Schema.Struct({
  ...StoredSmtpAccount.fields,
  password: Schema.NullOr(Schema.Uint8Array),
  may_use: Schema.Boolean
})

export const smtpPassword = sealedColumn({
  table: "smtp_accounts",
  key: ["smtp_account_id"],
  column: "password",
  form: "bytea",
  binds: ["org_id", "host"],
  context: ({ host, org_id }) => `smtp_accounts/${org_id}/${host}`
})

export const smtpColumns = `smtp_account_id, org_id, name, host, port, security, username, from_address, from_name, is_default, version, guarded, password IS NOT NULL AS password_set, ${allowedColumn}, created_on`

/** Omitted members keep their value; without a username there is no password. */
export interface SmtpAccountPatch {
  readonly name?: string
  readonly host?: string
  readonly port?: number
  readonly security?: Security
  readonly username?: string | null
  readonly password?: Redacted.Redacted
  readonly from_address?: string
  readonly from_name?: string | null
  readonly is_default?: true
  readonly allowed?: Allowed
}

const destinationFields = ["host", "port", "security", "username"] as const

const refuse = (message: string) => Result.fail(new ValidationError({ message }))

export const isMoved = (before: SmtpAccount, patch: SmtpAccountPatch) =>
  destinationFields.some((key) => patch[key] !== undefined && patch[key] !== before[key])

export const changedAccount = (before: SmtpAccount, patch: SmtpAccountPatch) => {
  const { allowed: _, password, ...plain } = patch
  const moved = isMoved(before, patch)
  const mergedAccount = { ...before, ...plain, guarded: before.guarded || moved }
  if (password !== undefined && mergedAccount.username === null) return refuse("username: needed with a password.")
  if (moved && before.password_set && password === undefined && mergedAccount.username !== null)
    return refuse("password: needed again, since it would be sent to another server or as another user.")
  return Result.succeed({
    after: mergedAccount,
    keepsPassword: password === undefined && mergedAccount.username !== null
  })
}
