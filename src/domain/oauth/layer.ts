// Services of OAuth and connections over one pool, and what they provide to the accounts module: OAuth access tokens as credentials, and
// the end of connections when a user's standing changes (service.md 3.2).
import { Effect, Layer } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { OAuthTokens } from "../accounts/CredentialLookup.ts"
import type { ResolvedCaller, WantedFacts } from "../accounts/callerFacts.ts"
import { userOf } from "../accounts/credentialUser.ts"
import { LastUsed } from "../accounts/LastUsed.ts"
import { UserChangeSubscribers } from "../accounts/UserChangeSubscribers.ts"
import { AccessTokens } from "../connections/AccessTokens.ts"
import { AppPolicies } from "../connections/AppPolicies.ts"
import { Connections } from "../connections/Connections.ts"
import { Authorizations } from "./Authorizations.ts"
import { Clients } from "./clients/Clients.ts"
import { MetadataDocuments } from "./clients/MetadataDocuments.ts"
import { Introspection } from "./Introspection.ts"
import { RateLimits } from "./RateLimits.ts"
import { Revocation } from "./Revocation.ts"
import { SessionProofs } from "./SessionProofs.ts"
import { Sessions } from "./Sessions.ts"

/** Resolves `svc_oat_` tokens for the credential lookup. */
const OAuthTokensLive = Layer.effect(
  OAuthTokens,
  Effect.gen(function* () {
    const accessTokens = yield* AccessTokens
    const lastUsed = yield* LastUsed
    const resolve = (token: string, wanted: WantedFacts = {}) =>
      Effect.clockWith((clock) =>
        Effect.map(accessTokens.find(token, wanted), (found): ResolvedCaller | null => {
          if (found === undefined) return null
          const nowMillis = clock.currentTimeMillisUnsafe()
          lastUsed.touch("connections", found.connection_id, nowMillis)
          return {
            ...userOf(found, wanted),
            credential: {
              type: "oauth_access_token",
              id: found.connection_id,
              clientId: found.client_id,
              expiresOn: found.expires_on
            },
            scopes: new Set(found.scopes),
            selection: "all"
          }
        })
      )
    return OAuthTokens.of({ resolve })
  })
).pipe(Layer.provideMerge(AccessTokens.layer))

const Watch = Layer.effectDiscard(
  Effect.gen(function* () {
    const changes = yield* UserChangeSubscribers
    const connections = yield* Connections
    changes.register(({ kind, userId }) =>
      kind === "workspace" || kind === "renamed" ? Effect.void : Effect.asVoid(connections.userChanged(userId))
    )
  })
)

export const OAuthServices = Layer.mergeAll(
  Authorizations.layer,
  Introspection.layer,
  Revocation.layer,
  Sessions.layer,
  SessionProofs.layer,
  RateLimits.layer,
  Watch
).pipe(
  Layer.provideMerge(MetadataDocuments.layer),
  Layer.provideMerge(Layer.mergeAll(Clients.layer, AppPolicies.layer, OAuthTokensLive)),
  Layer.provideMerge(Connections.layer),
  Layer.provideMerge(AuditLog.layer)
)
