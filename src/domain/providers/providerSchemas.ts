// Schemas of an organization's mail accounts and authentication providers (decisions P3). Passwords and tokens are written and replaced; no
// response contains one.
import { Schema } from "effect"
import type { Provider } from "../../platform/mail/providerRows.ts"
import { type SmtpAccount, securities } from "../../platform/mail/smtpRows.ts"
import { Email } from "../../platform/primitives/commonSchemas.ts"
import { formatDateTime, formatDateTimeOrNull } from "../../platform/primitives/dates.ts"
import { Allowed } from "../../platform/sharing/allowedUse.ts"
import { UseRows } from "../usage/usageSchemas.ts"

export const accountsPerOrganization = 100

const between = (least: number, most: number) => Schema.String.check(Schema.isBetweenLength(least, most))
const Name = between(1, 200)
const secret = (most: number) =>
  Schema.RedactedFromValue(between(1, most)).annotate({ description: "Written, never read back" })
const clearable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const maybe = Schema.optionalKey

const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))
const Security = Schema.Literals(securities).annotate({
  description: "TLS from the first byte, STARTTLS required, or neither"
})
const Username = between(1, 500)

export const NewMailAccount = Schema.Struct({
  name: Name,
  host: between(1, 253),
  port: maybe(Port.annotate({ description: "587 unless given" })),
  security: maybe(Security),
  username: clearable(Username),
  password: maybe(secret(2_000)),
  from_address: Email,
  from_name: clearable(between(1, 200)),
  is_default: maybe(Schema.Literal(true)),
  allowed: maybe(Allowed)
}).annotate({ identifier: "SmtpAccountCreate" })
export type NewMailAccount = typeof NewMailAccount.Type

export const MailAccountPatch = Schema.Struct({
  name: maybe(Name),
  host: maybe(between(1, 253)),
  port: maybe(Port),
  security: maybe(Security),
  username: clearable(Username),
  password: maybe(secret(2_000)),
  from_address: maybe(Email),
  from_name: clearable(between(1, 200)),
  is_default: maybe(Schema.Literal(true)),
  allowed: maybe(Allowed)
}).annotate({ identifier: "SmtpAccountUpdate" })
export type MailAccountPatch = typeof MailAccountPatch.Type

export const MailAccountView = Schema.Struct({
  smtp_account_id: Schema.Int,
  name: Schema.String,
  host: Schema.String,
  port: Schema.Int,
  security: Security,
  username: Schema.NullOr(Schema.String),
  password_set: Schema.Boolean,
  from_address: Schema.String,
  from_name: Schema.NullOr(Schema.String),
  is_default: Schema.Boolean.annotate({
    description: "Mail that names no account goes through it, where it may be used"
  }),
  allowed: Allowed,
  created_at: Schema.String
}).annotate({ identifier: "SmtpAccount" })
export type MailAccountView = typeof MailAccountView.Type

export const mailAccountView = (row: SmtpAccount): MailAccountView => ({
  smtp_account_id: row.smtp_account_id,
  name: row.name,
  host: row.host,
  port: row.port,
  security: row.security,
  username: row.username,
  password_set: row.password_set,
  from_address: row.from_address,
  from_name: row.from_name,
  is_default: row.is_default,
  allowed: row.allowed,
  created_at: formatDateTime(row.created_on)
})

const Grant = Schema.Literals(["client_credentials", "refresh_token"])
const ClientAuth = Schema.Literals(["basic", "post"]).annotate({
  description: "How the client signs in at the token endpoint: in a header, or in the body (RFC 6749 2.3.1)"
})
const TokenUrl = between(8, 2_000)
const ClientId = between(1, 1_000)
const TokenScope = between(1, 2_000)

export const NewOAuthProvider = Schema.Struct({
  name: Name,
  grant_type: Grant,
  token_url: TokenUrl,
  client_id: ClientId,
  client_auth: maybe(ClientAuth),
  scope: clearable(TokenScope),
  client_secret: maybe(secret(4_000)),
  refresh_token: maybe(secret(8_000)),
  allowed: maybe(Allowed)
}).annotate({ identifier: "AuthenticationProviderCreate" })
export type NewOAuthProvider = typeof NewOAuthProvider.Type

export const OAuthProviderPatch = Schema.Struct({
  name: maybe(Name),
  grant_type: maybe(Grant),
  token_url: maybe(TokenUrl),
  client_id: maybe(ClientId),
  client_auth: maybe(ClientAuth),
  scope: clearable(TokenScope),
  client_secret: maybe(secret(4_000)),
  refresh_token: maybe(secret(8_000)),
  allowed: maybe(Allowed)
}).annotate({ identifier: "AuthenticationProviderUpdate" })
export type OAuthProviderPatch = typeof OAuthProviderPatch.Type

export const OAuthProviderView = Schema.Struct({
  authentication_provider_id: Schema.Int,
  name: Schema.String,
  grant_type: Grant,
  token_url: Schema.String,
  client_id: Schema.String,
  client_auth: ClientAuth,
  scope: Schema.NullOr(Schema.String),
  client_secret_set: Schema.Boolean,
  refresh_token_set: Schema.Boolean,
  expires_on: Schema.NullOr(Schema.String).annotate({
    description: "When its present token ends, where that is known"
  }),
  allowed: Allowed,
  created_at: Schema.String
}).annotate({ identifier: "AuthenticationProvider" })
export type OAuthProviderView = typeof OAuthProviderView.Type

export const providerView = ({ created_on, expires_on, org_id: _, ...row }: Provider): OAuthProviderView => ({
  ...row,
  expires_on: formatDateTimeOrNull(expires_on),
  created_at: formatDateTime(created_on)
})

export const Tried = Schema.Struct({
  works: Schema.Boolean,
  message: Schema.NullOr(Schema.String).annotate({ description: "Why it does not, in words" })
}).annotate({ identifier: "AccountTried" })
export type Tried = typeof Tried.Type

const otherCount = Schema.Int.annotate({ description: "Those of apps that the caller does not administer" })
export const AccountUses = Schema.Struct({
  automations: Schema.Array(UseRows.automations).annotate({ description: "Automations that name it" }),
  other_automations: otherCount,
  hooks: Schema.Array(UseRows.hooks).annotate({ description: "Hooks that sign in by it" }),
  other_hooks: otherCount
}).annotate({ identifier: "AccountUses" })
export type AccountUses = typeof AccountUses.Type
