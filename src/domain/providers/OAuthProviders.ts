// Authentication providers of an organization, managed by its owners and admins (decisions P3, W9): they issue the tokens with which steps
// and hooks authenticate.
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import type { AuditKind } from "../../platform/audit/auditKinds.ts"
import { AuthenticationProviders } from "../../platform/mail/AuthenticationProviders.ts"
import type { Provider } from "../../platform/mail/providerRows.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import { type Conflict, NotFound, type Restricted, ValidationError } from "../../platform/primitives/errors.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { byAdministrator } from "../administration/administrators.ts"
import { makeAccountUses } from "./accountUses.ts"
import {
  type AccountUses,
  accountsPerOrganization,
  type NewOAuthProvider,
  type OAuthProviderPatch,
  type OAuthProviderView,
  providerView,
  type Tried
} from "./providerSchemas.ts"

type OfCaller<A> = (caller: CallerShape, providerId: number) => Effect.Effect<A, Restricted | NotFound>

export class OAuthProviders extends Context.Service<
  OAuthProviders,
  {
    readonly list: (caller: CallerShape) => Effect.Effect<ReadonlyArray<OAuthProviderView>, Restricted>
    readonly create: (
      caller: CallerShape,
      provider: NewOAuthProvider
    ) => Effect.Effect<OAuthProviderView, Restricted | ValidationError>
    readonly update: (
      caller: CallerShape,
      providerId: number,
      patch: OAuthProviderPatch
    ) => Effect.Effect<OAuthProviderView, Restricted | NotFound | ValidationError | Conflict>
    readonly remove: OfCaller<OAuthProviderView>
    /** Requests a token if there is no valid one; a refusal by the provider is a result, not a failure. */
    readonly try: OfCaller<Tried>
    readonly uses: OfCaller<AccountUses>
  }
>()("millrace/providers/OAuthProviders") {
  static readonly layer = Layer.effect(
    OAuthProviders,
    Effect.gen(function* () {
      const sql = yield* Sql
      const providers = yield* AuthenticationProviders
      const outbound = yield* Outbound
      const audit = yield* AuditLog
      const usesOf = yield* makeAccountUses

      const recordEvent = (
        caller: CallerShape,
        event: Extract<AuditKind, `authentication_provider.${string}`>,
        { authentication_provider_id, name, token_url }: Provider,
        more: Readonly<Record<string, unknown>> = {}
      ) =>
        audit.record({
          event,
          orgId: caller.orgId,
          userId: caller.userId,
          details: { authentication_provider_id, name, host: URL.parse(token_url)?.host, ...more }
        })

      const findProvider = Effect.fnUntraced(function* (caller: CallerShape, providerId: number) {
        yield* byAdministrator(caller)
        const allProviders = yield* providers.list(caller.orgId)
        const matchingProvider = allProviders.find(
          ({ authentication_provider_id }) => authentication_provider_id === providerId
        )
        return (
          matchingProvider ?? (yield* new NotFound({ message: `No authentication provider with id ${providerId}.` }))
        )
      })

      const reachable = (url: string) =>
        Effect.mapError(outbound.check(url), ({ message }) => new ValidationError({ message: `token_url: ${message}` }))

      const list = Effect.fn("OAuthProviders.list")(function* (caller: CallerShape) {
        yield* byAdministrator(caller)
        return (yield* providers.list(caller.orgId)).map(providerView)
      })

      const create = Effect.fn("OAuthProviders.create")(function* (caller: CallerShape, provider: NewOAuthProvider) {
        yield* byAdministrator(caller)
        yield* reachable(provider.token_url)
        if ((yield* providers.list(caller.orgId)).length >= accountsPerOrganization)
          return yield* new ValidationError({ message: `There are at most ${accountsPerOrganization} providers.` })
        return yield* sql
          .withTransaction(
            Effect.tap(providers.create(caller.orgId, provider), (made) =>
              recordEvent(caller, "authentication_provider.created", made, { allowed: made.allowed })
            )
          )
          .pipe(Effect.map(providerView), orSqlDefect)
      })

      const update = Effect.fn("OAuthProviders.update")(function* (
        caller: CallerShape,
        providerId: number,
        patch: OAuthProviderPatch
      ) {
        yield* findProvider(caller, providerId)
        if (patch.token_url !== undefined) yield* reachable(patch.token_url)
        const changed = Object.keys(patch)
        return yield* sql
          .withTransaction(
            Effect.tap(providers.update(caller.orgId, providerId, patch), (after) =>
              recordEvent(caller, "authentication_provider.changed", after, {
                changed,
                ...(patch.allowed === undefined ? {} : { allowed: after.allowed })
              })
            )
          )
          .pipe(Effect.map(providerView), orSqlDefect)
      })

      const remove = Effect.fn("OAuthProviders.remove")(function* (caller: CallerShape, providerId: number) {
        yield* findProvider(caller, providerId)
        return yield* sql
          .withTransaction(
            Effect.tap(providers.remove(caller.orgId, providerId), (gone) =>
              recordEvent(caller, "authentication_provider.removed", gone)
            )
          )
          .pipe(Effect.map(providerView), orSqlDefect)
      })

      const attempt = Effect.fn("OAuthProviders.try")(function* (caller: CallerShape, providerId: number) {
        yield* recordEvent(caller, "authentication_provider.tried", yield* findProvider(caller, providerId))
        const answer: Tried = yield* providers.authorizationHeader(caller.orgId, providerId, "organization").pipe(
          Effect.as({ works: true, message: null }),
          Effect.catchTag("ProviderFailed", ({ message }) => Effect.succeed({ works: false, message }))
        )
        return answer
      })

      const uses = Effect.fn("OAuthProviders.uses")(function* (caller: CallerShape, providerId: number) {
        yield* findProvider(caller, providerId)
        return yield* usesOf(caller, "authentication_provider_id", providerId)
      }, orSqlDefect)

      return OAuthProviders.of({ list, create, update, remove, try: attempt, uses })
    })
  )
}
