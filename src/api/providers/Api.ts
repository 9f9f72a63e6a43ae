// Mail accounts and authentication providers of an organization (decisions P3, "The console"). For signed-in pages and user API keys of owners
// and admins; the services ask for the role.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import {
  AccountUses,
  MailAccountPatch,
  MailAccountView,
  NewMailAccount,
  NewOAuthProvider,
  OAuthProviderPatch,
  OAuthProviderView,
  Tried
} from "../../domain/providers/providerSchemas.ts"
import { Id } from "../../platform/primitives/commonSchemas.ts"
import { costs } from "../middleware/cost.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { hostOf } from "../middleware/hostLookup.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

const calls = { cost: costs.otherServers }
const tries = { ...calls, outside: true }

const account = { smtp_account_id: Id }
const provider = { authentication_provider_id: Id }

export class MailAccountsApi extends HttpApiGroup.make("mailAccounts")
  .add(
    HttpApiEndpoint.get("list", "/v1/smtp-account", {
      success: Schema.Struct({ total: Schema.Int, smtp_accounts: Schema.Array(MailAccountView) }),
      error: fails("Restricted")
    }).pipe(
      requires({}),
      withSummary("List mail accounts", "The SMTP accounts of the organization, without their passwords.")
    ),
    HttpApiEndpoint.post("create", "/v1/smtp-account", {
      payload: NewMailAccount,
      success: MailAccountView,
      error: fails("Restricted", "NotFound", "ValidationError")
    }).pipe(
      requires({ ...calls, looksUp: hostOf("host") }),
      withSummary(
        "Add a mail account",
        "An SMTP server and how to sign in there; the first one is the organization's default. Servers in private networks are refused. Steps of the workspaces in `allowed` may use it; left out, of none."
      )
    ),
    HttpApiEndpoint.put("update", "/v1/smtp-account/:smtp_account_id", {
      params: account,
      payload: MailAccountPatch,
      success: MailAccountView,
      error: fails("Restricted", "NotFound", "ValidationError")
    }).pipe(
      requires({ ...calls, looksUp: hostOf("host") }),
      withSummary(
        "Change a mail account",
        "Changes what is sent. Another server, port, security or user name asks for the password again, and `username: null` takes both away. `allowed` says which workspaces may use it."
      )
    ),
    HttpApiEndpoint.delete("remove", "/v1/smtp-account/:smtp_account_id", {
      params: account,
      success: MailAccountView,
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires({}),
      withSummary(
        "Delete a mail account",
        "Steps that name it fail; after the default one mail goes by the installation's server."
      )
    ),
    HttpApiEndpoint.post("try", "/v1/smtp-account/:smtp_account_id/try", {
      params: account,
      success: Tried,
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires(tries),
      withSummary(
        "Try a mail account",
        "Sends the caller a mail by it and tells whether the server took it; counts as a mail."
      )
    ),
    HttpApiEndpoint.get("uses", "/v1/smtp-account/:smtp_account_id/usage", {
      params: account,
      success: AccountUses,
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires({ cost: costs.usage }),
      withSummary("Get what uses a mail account", "Automations whose steps name it, and would fail without it.")
    )
  )
  .middleware(DevApi)
  .annotateMerge(
    groupSummary(
      "Mail accounts",
      "SMTP accounts by which an organization sends its mail. For signed-in pages and user API keys."
    )
  ) {}

export class AuthenticationProvidersApi extends HttpApiGroup.make("authenticationProviders")
  .add(
    HttpApiEndpoint.get("list", "/v1/authentication-provider", {
      success: Schema.Struct({ total: Schema.Int, authentication_providers: Schema.Array(OAuthProviderView) }),
      error: fails("Restricted")
    }).pipe(
      requires({}),
      withSummary(
        "List authentication providers",
        "Where tokens for steps and hooks come from, without secrets and tokens."
      )
    ),
    HttpApiEndpoint.post("create", "/v1/authentication-provider", {
      payload: NewOAuthProvider,
      success: OAuthProviderView,
      error: fails("Restricted", "ValidationError")
    }).pipe(
      requires({ ...calls, looksUp: hostOf("token_url") }),
      withSummary(
        "Add an authentication provider",
        "An OAuth 2.0 client and the endpoint that gives it tokens, by client credentials or a refresh token. Steps and hooks of the workspaces in `allowed` may use it; left out, of none."
      )
    ),
    HttpApiEndpoint.put("update", "/v1/authentication-provider/:authentication_provider_id", {
      params: provider,
      payload: OAuthProviderPatch,
      success: OAuthProviderView,
      error: fails("Restricted", "NotFound", "ValidationError", "Conflict")
    }).pipe(
      requires({ ...calls, looksUp: hostOf("token_url") }),
      withSummary(
        "Change an authentication provider",
        "Changes what is sent, and lets go of its present token. Another endpoint, client or grant asks for the secrets again."
      )
    ),
    HttpApiEndpoint.delete("remove", "/v1/authentication-provider/:authentication_provider_id", {
      params: provider,
      success: OAuthProviderView,
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires({}),
      withSummary(
        "Delete an authentication provider",
        "Steps that name it are skipped, and deliveries of hooks that do fail."
      )
    ),
    HttpApiEndpoint.post("try", "/v1/authentication-provider/:authentication_provider_id/try", {
      params: provider,
      success: Tried,
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires(tries),
      withSummary(
        "Try an authentication provider",
        "Asks for a token, unless it has one that is still good, and tells whether there is one."
      )
    ),
    HttpApiEndpoint.get("uses", "/v1/authentication-provider/:authentication_provider_id/usage", {
      params: provider,
      success: AccountUses,
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires({ cost: costs.usage }),
      withSummary(
        "Get what uses an authentication provider",
        "Automations and hooks that name it, and would do without."
      )
    )
  )
  .middleware(DevApi)
  .annotateMerge(
    groupSummary(
      "Authentication providers",
      "OAuth 2.0 clients that steps and hooks sign in with elsewhere. For signed-in pages and user API keys."
    )
  ) {}
