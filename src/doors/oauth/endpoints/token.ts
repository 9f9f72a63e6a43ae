// POST /oauth/token: client authentication, then one of the two grants (service.md 4.1; decisions O3).
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { authenticationFault } from "../../../domain/oauth/clients/authenticate.ts"
import type { Client } from "../../../domain/oauth/clients/Client.ts"
import { Clients } from "../../../domain/oauth/clients/Clients.ts"
import { type ClientCredentials, claimedBy } from "../../../domain/oauth/clients/credentials.ts"
import { Grants } from "../../../domain/oauth/Grants.ts"
import type { Params } from "../../../domain/oauth/params.ts"
import { RateLimits } from "../../../domain/oauth/RateLimits.ts"
import { refuse } from "../../../domain/oauth/reasons.ts"
import { isResource } from "../../../domain/oauth/resource.ts"
import { splitScopes } from "../../../domain/oauth/scopes.ts"
import { AppConfig } from "../../../ground/config/Config.ts"
import { jsonAnswer } from "./answers.ts"
import { readForm, required } from "./form.ts"

/** Counts the request of a client that exists, or of the one bucket for those that do not, then authenticates it. */
export const makeAuthenticate = Effect.map(
  RateLimits,
  (rateLimits) => (client: Client | undefined, claimed: ClientCredentials) =>
    Effect.flatMap(rateLimits.client(client?.client_id ?? "unknown"), () => {
      const fault = authenticationFault(client, claimed)
      return fault === undefined ? Effect.succeed(client!) : Effect.fail(fault)
    })
)

export const makeToken = Effect.gen(function* () {
  const origins = yield* AppConfig
  const clients = yield* Clients
  const grants = yield* Grants
  const authenticate = yield* makeAuthenticate

  const checkResource = (params: Params) =>
    params.getAll("resource").every((text) => isResource(text, origins))
      ? Effect.void
      : Effect.fail(refuse("AUTHORIZE_RESOURCE_INVALID"))

  const code = Effect.fnUntraced(function* (params: Params, claimed: ClientCredentials) {
    const client = yield* authenticate(yield* clients.find(claimed.clientId), claimed)
    yield* checkResource(params)
    return yield* grants.redeem({
      client,
      code: yield* required(params, "code"),
      redirectUri: params.get("redirect_uri"),
      verifier: params.get("code_verifier")
    })
  })

  const refresh = Effect.fnUntraced(function* (params: Params, claimed: ClientCredentials) {
    const token = params.get("refresh_token")
    const [row, held] = yield* Effect.all(
      [clients.find(claimed.clientId), token === undefined ? Effect.undefined : grants.findRefreshToken(token)],
      { concurrency: 2 }
    )
    const client = yield* authenticate(row, claimed)
    yield* checkResource(params)
    const scope = params.get("scope")
    return yield* grants.refresh(
      client,
      yield* required(params, "refresh_token"),
      scope === undefined ? undefined : splitScopes(scope),
      held
    )
  })

  return Effect.fn("oauth.token")(function* (request: HttpServerRequest.HttpServerRequest) {
    const params = yield* readForm(request)
    const claimed = yield* Effect.fromResult(claimedBy(request.headers["authorization"], params))
    const grantType = params.get("grant_type")
    if (grantType === "refresh_token") return jsonAnswer(yield* refresh(params, claimed))
    if (grantType === "authorization_code") return jsonAnswer(yield* code(params, claimed))
    yield* authenticate(yield* clients.find(claimed.clientId), claimed)
    yield* required(params, "grant_type")
    return yield* refuse("TOKEN_GRANT_TYPE_UNSUPPORTED", { clientId: claimed.clientId })
  })
})
