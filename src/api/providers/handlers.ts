// Translates mail accounts and authentication providers between HTTP and their services.
import { Effect } from "effect"
import { Caller } from "../../domain/accounts/Caller.ts"
import { MailAccounts } from "../../domain/providers/MailAccounts.ts"
import { OAuthProviders } from "../../domain/providers/OAuthProviders.ts"
import { group } from "../middleware/requestContext.ts"
import { AuthenticationProvidersApi, MailAccountsApi } from "./Api.ts"

export const MailAccountsHandlers = group(
  MailAccountsApi,
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* MailAccounts
    return handlers.handleAll({
      list: () =>
        Effect.map(Effect.flatMap(Caller, accounts.list), (all) => ({ total: all.length, smtp_accounts: all })),
      create: ({ payload }) => Effect.flatMap(Caller, (caller) => accounts.create(caller, payload)),
      update: ({ params, payload }) =>
        Effect.flatMap(Caller, (caller) => accounts.update(caller, params.smtp_account_id, payload)),
      remove: ({ params }) => Effect.flatMap(Caller, (caller) => accounts.remove(caller, params.smtp_account_id)),
      try: ({ params }) => Effect.flatMap(Caller, (caller) => accounts.try(caller, params.smtp_account_id)),
      uses: ({ params }) => Effect.flatMap(Caller, (caller) => accounts.uses(caller, params.smtp_account_id))
    })
  })
)

export const AuthenticationProvidersHandlers = group(
  AuthenticationProvidersApi,
  Effect.fnUntraced(function* (handlers) {
    const providers = yield* OAuthProviders
    const providerIdOf = ({ params }: { readonly params: { readonly authentication_provider_id: number } }) =>
      params.authentication_provider_id
    return handlers.handleAll({
      list: () =>
        Effect.map(Effect.flatMap(Caller, providers.list), (all) => ({
          total: all.length,
          authentication_providers: all
        })),
      create: ({ payload }) => Effect.flatMap(Caller, (caller) => providers.create(caller, payload)),
      update: (asked) =>
        Effect.flatMap(Caller, (caller) => providers.update(caller, providerIdOf(asked), asked.payload)),
      remove: (asked) => Effect.flatMap(Caller, (caller) => providers.remove(caller, providerIdOf(asked))),
      try: (asked) => Effect.flatMap(Caller, (caller) => providers.try(caller, providerIdOf(asked))),
      uses: (asked) => Effect.flatMap(Caller, (caller) => providers.uses(caller, providerIdOf(asked)))
    })
  })
)
