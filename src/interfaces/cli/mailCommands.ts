// Operator commands for an organization's SMTP accounts and authentication providers (decisions P3), with secrets from files
// (./secretFrom.ts).
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { AuthenticationProviders } from "../../platform/mail/AuthenticationProviders.ts"
import { SmtpAccounts } from "../../platform/mail/SmtpAccounts.ts"
import { allowArgument, allowFlag } from "./allowedWorkspaces.ts"
import { json, print } from "./output.ts"
import { secretFile, secretsFrom } from "./secretFrom.ts"

const orgId = Argument.Int("org_id")
const optional = <A>(name: string, option: Option.Option<A>) => (Option.isSome(option) ? { [name]: option.value } : {})

const smtp = Command.make("smtp").pipe(
  Command.withDescription("SMTP accounts of an organization"),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        orgId,
        name: Flag.String("name"),
        host: Flag.String("host"),
        port: Flag.Int("port").pipe(Flag.withDefault(587)),
        security: Flag.Literals("security", ["tls", "starttls", "none"]).pipe(Flag.withDefault("starttls" as const)),
        username: Flag.String("username").pipe(Flag.optional),
        password: secretFile("password"),
        fromAddress: Flag.String("from-address"),
        fromName: Flag.String("from-name").pipe(Flag.optional),
        isDefault: Flag.Boolean("default").pipe(Flag.withDefault(false)),
        allow: allowFlag,
        json
      },
      ({ orgId, name, host, port, security, username, password, fromAddress, fromName, isDefault, allow, json }) =>
        Effect.gen(function* () {
          const secrets = yield* secretsFrom({ password })
          const accounts = yield* SmtpAccounts
          const account = yield* accounts.create(orgId, {
            name,
            host,
            port,
            security,
            from_address: fromAddress,
            is_default: isDefault,
            ...optional("username", username),
            ...secrets,
            ...optional("from_name", fromName),
            ...optional("allowed", allow)
          })
          yield* print(json, account)
        })
    ).pipe(Command.withDescription("Add an account; the first one is the organization's default")),
    Command.make("list", { orgId, json }, ({ orgId, json }) =>
      Effect.flatMap(
        SmtpAccounts.use((accounts) => accounts.list(orgId)),
        (all) => print(json, [...all])
      )
    ).pipe(Command.withDescription("List accounts")),
    Command.make(
      "allow",
      { orgId, id: Argument.Int("smtp_account_id"), workspaces: allowArgument, json },
      Effect.fnUntraced(function* ({ orgId, id, workspaces, json }) {
        const account = yield* SmtpAccounts.use((accounts) => accounts.update(orgId, id, { allowed: workspaces }))
        const details = { by: "operator", smtp_account_id: id, changed: ["allowed"], allowed: account.allowed }
        yield* AuditLog.use((audit) => audit.record({ event: "smtp_account.changed", orgId, details }))
        yield* print(json, account)
      })
    ).pipe(Command.withDescription("Say which workspaces may send by an account")),
    Command.make("default", { orgId, id: Argument.Int("smtp_account_id"), json }, ({ orgId, id, json }) =>
      Effect.flatMap(
        SmtpAccounts.use((accounts) => accounts.setDefault(orgId, id)),
        (account) => print(json, account)
      )
    ).pipe(Command.withDescription("Make an account the default")),
    Command.make("remove", { orgId, id: Argument.Int("smtp_account_id"), json }, ({ orgId, id, json }) =>
      Effect.flatMap(
        SmtpAccounts.use((accounts) => accounts.remove(orgId, id)),
        (account) => print(json, account)
      )
    ).pipe(Command.withDescription("Remove an account"))
  ])
)

const provider = Command.make("provider").pipe(
  Command.withDescription("Authentication providers of authenticated_http_call steps"),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        orgId,
        name: Flag.String("name"),
        grant: Flag.Literals("grant", ["client_credentials", "refresh_token"]),
        tokenUrl: Flag.String("token-url"),
        clientId: Flag.String("client-id"),
        clientSecret: secretFile("client-secret"),
        refreshToken: secretFile("refresh-token"),
        clientAuth: Flag.Literals("client-auth", ["basic", "post"]).pipe(Flag.withDefault("basic" as const)),
        scope: Flag.String("scope").pipe(Flag.optional),
        allow: allowFlag,
        json
      },
      ({ orgId, name, grant, tokenUrl, clientId, clientSecret, refreshToken, clientAuth, scope, allow, json }) =>
        Effect.gen(function* () {
          const secrets = yield* secretsFrom({ client_secret: clientSecret, refresh_token: refreshToken })
          const providers = yield* AuthenticationProviders
          const newProvider = yield* providers.create(orgId, {
            name,
            grant_type: grant,
            token_url: tokenUrl,
            client_id: clientId,
            client_auth: clientAuth,
            ...secrets,
            ...optional("scope", scope),
            ...optional("allowed", allow)
          })
          yield* print(json, newProvider)
        })
    ).pipe(Command.withDescription("Add a provider (OAuth 2.0 client credentials or refresh token)")),
    Command.make(
      "allow",
      { orgId, id: Argument.Int("authentication_provider_id"), workspaces: allowArgument, json },
      Effect.fnUntraced(function* ({ orgId, id, workspaces, json }) {
        const provider = yield* AuthenticationProviders.use((providers) =>
          providers.update(orgId, id, { allowed: workspaces })
        )
        const details = {
          by: "operator",
          authentication_provider_id: id,
          changed: ["allowed"],
          allowed: provider.allowed
        }
        yield* AuditLog.use((audit) => audit.record({ event: "authentication_provider.changed", orgId, details }))
        yield* print(json, provider)
      })
    ).pipe(Command.withDescription("Say which workspaces may sign in by a provider")),
    Command.make("list", { orgId, json }, ({ orgId, json }) =>
      Effect.flatMap(
        AuthenticationProviders.use((providers) => providers.list(orgId)),
        (all) => print(json, [...all])
      )
    ).pipe(Command.withDescription("List providers")),
    Command.make("remove", { orgId, id: Argument.Int("authentication_provider_id"), json }, ({ orgId, id, json }) =>
      Effect.flatMap(
        AuthenticationProviders.use((providers) => providers.remove(orgId, id)),
        (gone) => print(json, gone)
      )
    ).pipe(Command.withDescription("Remove a provider; steps that name it are skipped"))
  ])
)

export const mailCommands = [smtp, provider] as const
