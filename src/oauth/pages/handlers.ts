// The pages of the flow and their forms: sign in, consent (service.md 3.2, 4.1; decisions O11, O12).
import { Effect, Result } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { People } from "../../accounts/People.ts"
import { AppConfig } from "../../Config.ts"
import { AuditLog, SourceAddress } from "../AuditLog.ts"
import { Authorizations, type Decision } from "../Authorizations.ts"
import { sourceOf } from "../http/answers.ts"
import { queryOf, readForm } from "../http/form.ts"
import { type Params, parseParams } from "../params.ts"
import { RateLimits } from "../RateLimits.ts"
import { csrfMatches, type Session, Sessions } from "../Sessions.ts"
import { cookieName, withSession } from "./cookie.ts"
import { seeOther } from "./html.ts"
import { localPath } from "./next.ts"
import { consentPage, faultPage, messagePage, signInPage } from "./views.ts"

type Request = HttpServerRequest.HttpServerRequest

const gone = messagePage(
  "This request is not open",
  "It was answered already, or was begun in another browser. Start again from the app.",
  400
)
const forged = messagePage(
  "The form cannot be accepted",
  "It does not belong to this session. Reload the page and try again.",
  403
)
const signInLimit = { name: "sign_in", max: 20, windowMillis: 60_000 } as const

export const makePages = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const sessions = yield* Sessions
  const people = yield* People
  const authorizations = yield* Authorizations
  const rateLimits = yield* RateLimits
  const audit = yield* AuditLog

  const sessionOf = (request: Request) => sessions.find(request.cookies[cookieName(baseUrl)])

  /** A form of this session, or the page that refuses it. */
  const ownForm = Effect.fnUntraced(function* (request: Request, session: Session | undefined) {
    const form = yield* Effect.result(readForm(request))
    if (Result.isFailure(form) || session === undefined || !csrfMatches(session, form.success.get("csrf")))
      return undefined
    return { params: form.success, session }
  })

  const requestId = Effect.map(HttpRouter.params, (params) => params["request_id"] ?? "")

  const showConsent = Effect.fn("pages.consent")(function* (request: Request) {
    const session = yield* sessionOf(request)
    const view = yield* authorizations.view(yield* requestId, session)
    switch (view._tag) {
      case "Gone":
        return gone
      case "SignIn":
        return seeOther(`/sign-in?next=${encodeURIComponent(`/oauth/consent/${view.requestId}`)}`)
      case "Fault":
        return faultPage(view, session!.csrf)
      case "Consent":
        return consentPage(view, session!.csrf)
    }
  })

  const decisionOf = (params: Params): Decision | undefined => {
    const decision = params.get("decision")
    if (decision === "decline" || decision === "return") return { type: decision }
    const userId = params.get("user_id") ?? ""
    return decision === "approve" && /^\d{1,15}$/.test(userId) ? { type: "approve", userId: Number(userId) } : undefined
  }

  const decide = Effect.fn("pages.decide")(function* (request: Request) {
    const own = yield* ownForm(request, yield* sessionOf(request))
    if (own === undefined) return forged
    const decision = decisionOf(own.params)
    if (decision === undefined) return forged
    const location = yield* authorizations.decide(yield* requestId, own.session, decision)
    return location === undefined ? gone : seeOther(location)
  })

  const showSignIn = Effect.fn("pages.signIn")(function* (request: Request) {
    const next = localPath(parseParams(queryOf(request.originalUrl)).get("next"))
    const known = yield* sessionOf(request)
    const session = known ?? (yield* sessions.begin)
    return withSession(signInPage({ csrf: session.csrf, next, failed: false }), baseUrl, session)
  })

  const signIn = Effect.fn("pages.signInSubmit")(function* (request: Request) {
    const own = yield* ownForm(request, yield* sessionOf(request))
    if (own === undefined) return forged
    const email = own.params.get("email") ?? ""
    const next = localPath(own.params.get("next"))
    const allowed = yield* Effect.isSuccess(
      Effect.andThen(
        rateLimits.take(signInLimit, `account ${email.toLowerCase().slice(0, 200)}`),
        rateLimits.take(signInLimit, `address ${sourceOf(request) ?? "unknown"}`)
      )
    )
    if (!allowed) return messagePage("Too many attempts", "Wait a minute, then try again.", 429)
    const person = yield* people.signIn(email, own.params.get("password") ?? "")
    if (person === null) {
      yield* audit.record({ event: "person.sign_in_failed" })
      return signInPage({ csrf: own.session.csrf, next, failed: true })
    }
    const session = yield* sessions.signIn(own.session, person.person_id)
    return withSession(seeOther(next), baseUrl, session)
  })

  const withSource =
    <A, E, R>(handle: (request: Request) => Effect.Effect<A, E, R>) =>
    (request: Request) =>
      Effect.provideService(handle(request), SourceAddress, sourceOf(request))

  return {
    sessionOf,
    showConsent: withSource(showConsent),
    decide: withSource(decide),
    showSignIn: withSource(showSignIn),
    signIn: withSource(signIn)
  }
})
