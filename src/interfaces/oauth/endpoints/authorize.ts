// GET /oauth/authorize: checks, keeps the request under the browser's session and sends the person on to its page
// (service.md 4.1). What cannot be trusted is answered here: a page, or JSON for a request that prefers it.
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Authorizations } from "../../../domain/oauth/Authorizations.ts"
import { parseParams } from "../../../domain/oauth/params.ts"
import { RateLimits } from "../../../domain/oauth/RateLimits.ts"
import type { OAuthRefused } from "../../../domain/oauth/reasons.ts"
import { Sessions } from "../../../domain/oauth/Sessions.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { cookieName, withSession } from "../../web/cookie.ts"
import { queryOf } from "../../web/formBody.ts"
import { seeOther } from "../../web/layout.ts"
import { untrustedPage } from "../pages/consentPages.ts"
import { refusalAnswer } from "./oauthAnswers.ts"
import { prefersJson } from "./prefersJson.ts"

export const makeAuthorize = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const authorizations = yield* Authorizations
  const sessions = yield* Sessions
  const rateLimits = yield* RateLimits

  return Effect.fn("oauth.authorize")(function* (request: HttpServerRequest.HttpServerRequest) {
    yield* rateLimits.authorize
    const query = queryOf(request.originalUrl)
    const currentSession = yield* sessions.find(request.cookies[cookieName(baseUrl)])
    const params = parseParams(query)
    const authorization = yield* authorizations
      .begin(params, currentSession === undefined ? sessions.begin : Effect.succeed(currentSession))
      .pipe(Effect.catchTag("SessionEnded", () => Effect.succeed(undefined)))
    // A sign-in has ended the session: by now the browser has another one, and sends that with the next request.
    if (authorization === undefined) return seeOther(`/oauth/authorize?${query}`)
    const onward = seeOther(`/oauth/consent/${authorization.requestId}`)
    return currentSession === undefined ? withSession(onward, baseUrl, authorization.session) : onward
  })
})

export const showUntrusted = (refused: OAuthRefused, status: number, request: HttpServerRequest.HttpServerRequest) =>
  prefersJson(request.headers["accept"]) ? refusalAnswer(refused, status) : untrustedPage(refused, status)
