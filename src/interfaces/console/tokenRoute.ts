// `POST /console/token`: a page of ours whose person is signed in gets a token for the API (decisions, "The console"). The session's cookie
// says who; the Origin, which no page can make up, says that the page is ours: without it, or with another, nothing is given.
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorResponse, failureResponse } from "../../api/middleware/errorResponses.ts"
import { SessionTokens, sessionTokenSeconds } from "../../domain/accounts/SessionTokens.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { Visitors } from "../web/Visitors.ts"

const path = "/console/token"

const refuse = (status: number, code: string, message: string) => errorResponse(status, code, message, path)

const signInFirst = refuse(401, "dev_api_authentication", "Sign in first.")
const foreign = refuse(403, "forbidden", "Only pages of this service may ask for a token of their session.")
const unchosen = refuse(409, "conflict_error", "Choose an organization first, at /organization.")
const secondStep = refuse(
  403,
  "restricted_resource",
  "Your organization asks for a second step at sign-in. Set one up at /account/factors."
)
const notMember = refuse(403, "restricted_resource", "You are not an active user of any organization.")
const postOnly = HttpServerResponse.setHeader(
  refuse(405, "invalid_request", "This address takes POST alone."),
  "allow",
  "POST"
)

export const ConsoleTokenRoute = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* AppConfig
    const visitors = yield* Visitors
    const tokens = yield* SessionTokens
    const { origin } = new URL(baseUrl)

    const answer = Effect.fnUntraced(
      function* (request: HttpServerRequest.HttpServerRequest) {
        if (request.method !== "POST") return postOnly
        if (request.headers["origin"] !== origin) return foreign
        const visit = yield* visitors.find(request)
        if (visit.session === undefined || visit.person === undefined) return signInFirst
        if (visit.current === undefined) {
          if (visit.users.length > 0) return unchosen
          return visit.waiting.length > 0 ? secondStep : notMember
        }
        const { user_id } = visit.current
        const access_token = yield* tokens.mint(visit.session.session_id, user_id)
        if (access_token === undefined) return signInFirst
        return HttpServerResponse.jsonUnsafe(
          { access_token, token_type: "Bearer", expires_in: sessionTokenSeconds, user_id },
          { headers: { "cache-control": "no-store" } }
        )
      },
      Effect.catchCause((cause) => failureResponse(cause, path))
    )

    yield* router.add("*", path, Effect.flatMap(HttpServerRequest.HttpServerRequest, answer))
  })
)
