// POST /oauth/token: client authentication, then the grant that `grant_type` names (service.md 4.1; decisions O3).
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Client } from "../../../domain/oauth/clients/Client.ts"
import { Clients } from "../../../domain/oauth/clients/Clients.ts"
import {
  authenticationFault,
  type ClientCredentials,
  claimedBy
} from "../../../domain/oauth/clients/clientAuthentication.ts"
import type { GrantHandler } from "../../../domain/oauth/grants/Grant.ts"
import { grants, grantTypes } from "../../../domain/oauth/grants/index.ts"
import { type Params, required } from "../../../domain/oauth/params.ts"
import { RateLimits } from "../../../domain/oauth/RateLimits.ts"
import { refuse } from "../../../domain/oauth/reasons.ts"
import { isResource } from "../../../domain/oauth/resource.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { readForm } from "../../web/formBody.ts"
import { jsonAnswer } from "./oauthAnswers.ts"

const proven = (client: Client | undefined, claimed: ClientCredentials) => {
  const fault = authenticationFault(client, claimed)
  return fault === undefined ? Effect.succeed(client!) : Effect.fail(fault)
}

/** Counts the request of a client that exists, or of the one bucket for those that do not, then authenticates it. */
export const makeAuthenticate = Effect.map(
  RateLimits,
  (rateLimits) => (client: Client | undefined, claimed: ClientCredentials) =>
    Effect.andThen(
      rateLimits.client(client?.client_id ?? "unknown"),
      Effect.suspend(() => proven(client, claimed))
    )
)

const onlyThese = `Only ${grantTypes.join(" and ")} are supported`

export const makeToken = Effect.gen(function* () {
  const origins = yield* AppConfig
  const clients = yield* Clients
  const handlers = new Map<string | undefined, GrantHandler<Params>>()
  for (const { handler, type } of grants) handlers.set(type, yield* handler)
  const authenticate = yield* makeAuthenticate

  const resourceFault = (params: Params) =>
    params.getAll("resource").every((text) => isResource(text, origins))
      ? undefined
      : refuse("AUTHORIZE_RESOURCE_INVALID")

  // Has no span of its own, which would only repeat the request's.
  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const params = yield* readForm(request)
    const claimed = yield* Effect.fromResult(claimedBy(request.headers["authorization"], params))
    const grantType = params.get("grant_type")
    const grant = handlers.get(grantType)
    if (grant === undefined) {
      yield* authenticate(yield* clients.find(claimed.clientId), claimed)
      yield* required("grant_type", grantType)
      return yield* refuse("TOKEN_GRANT_TYPE_UNSUPPORTED", { clientId: claimed.clientId, detail: onlyThese })
    }
    const [row, issueTo] = yield* Effect.all([clients.find(claimed.clientId), grant.begin(params)], { concurrency: 2 })
    const client = yield* authenticate(row, claimed)
    const misdirected = resourceFault(params)
    if (misdirected !== undefined) return yield* misdirected
    return jsonAnswer(yield* issueTo(client))
  })
})
