// POST /oauth/introspect: for the operator's own services only (service.md 2.5; decisions O20).
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Clients } from "../../../domain/oauth/clients/Clients.ts"
import { claimedBy } from "../../../domain/oauth/clients/clientAuthentication.ts"
import { Introspection, mayIntrospect } from "../../../domain/oauth/Introspection.ts"
import { required } from "../../../domain/oauth/params.ts"
import { readForm } from "../../web/formBody.ts"
import { jsonAnswer } from "./oauthAnswers.ts"
import { makeAuthenticate } from "./token.ts"

export const makeIntrospect = Effect.gen(function* () {
  const clients = yield* Clients
  const introspection = yield* Introspection
  const authenticate = yield* makeAuthenticate

  return Effect.fn("oauth.introspect")(function* (request: HttpServerRequest.HttpServerRequest) {
    const params = yield* readForm(request)
    const claimed = yield* Effect.fromResult(claimedBy(request.headers["authorization"], params))
    const client = yield* authenticate(yield* clients.find(claimed.clientId), claimed)
    yield* Effect.fromResult(mayIntrospect(client))
    return jsonAnswer(yield* introspection.introspect(yield* required("token", params.get("token"))))
  })
})
