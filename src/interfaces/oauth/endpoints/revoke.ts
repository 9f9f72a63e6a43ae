// POST /oauth/revoke: 200 with an empty body once the client has authenticated and sent a token (service.md 4.1; RFC 7009).
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Clients } from "../../../domain/oauth/clients/Clients.ts"
import { claimedBy } from "../../../domain/oauth/clients/clientAuthentication.ts"
import { required } from "../../../domain/oauth/params.ts"
import { Revocation } from "../../../domain/oauth/Revocation.ts"
import { readForm } from "../../web/formBody.ts"
import { noStore } from "../../web/sharedAnswers.ts"
import { makeAuthenticate } from "./token.ts"

export const makeRevoke = Effect.gen(function* () {
  const clients = yield* Clients
  const revocation = yield* Revocation
  const authenticate = yield* makeAuthenticate

  return Effect.fn("oauth.revoke")(function* (request: HttpServerRequest.HttpServerRequest) {
    const params = yield* readForm(request)
    const claimed = yield* Effect.fromResult(claimedBy(request.headers["authorization"], params))
    const client = yield* authenticate(yield* clients.find(claimed.clientId), claimed)
    yield* revocation.revoke(client, yield* required("token", params.get("token")))
    return HttpServerResponse.empty({ status: 200, headers: noStore })
  })
})
