// POST /oauth/register: dynamic client registration (RFC 7591; decisions O8).
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { limits } from "../../../domain/connections/oauthLimits.ts"
import { Clients } from "../../../domain/oauth/clients/Clients.ts"
import { RateLimits } from "../../../domain/oauth/RateLimits.ts"
import { refuse } from "../../../domain/oauth/reasons.ts"
import { parseRegistration, registrationResponse } from "../../../domain/oauth/registration.ts"
import { contentTypeOf, readText } from "../../web/formBody.ts"
import { jsonAnswer } from "./oauthAnswers.ts"

export const makeRegister = Effect.gen(function* () {
  const clients = yield* Clients
  const rateLimits = yield* RateLimits

  return Effect.fn("oauth.register")(function* (request: HttpServerRequest.HttpServerRequest) {
    yield* rateLimits.register
    if (contentTypeOf(request) !== "application/json") {
      return yield* refuse("REQUEST_INVALID", { detail: "The content type must be application/json" })
    }
    const registration = yield* Effect.fromResult(parseRegistration(yield* readText(request, limits.registrationBytes)))
    const client = yield* clients.registerDynamic(registration)
    return jsonAnswer(
      registrationResponse({ clientId: client.client_id, issuedOn: client.created_on, registration }),
      201
    )
  })
})
