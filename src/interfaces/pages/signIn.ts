// Sign in and out (decisions O12); on the way to a consent the page says which app asks (O24). A sign-in always starts a new
// session; who has a second step is nobody until it is done (secondStep.ts).
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Factors } from "../../domain/accounts/factors/Factors.ts"
import { People } from "../../domain/accounts/People.ts"
import { SignInThrottle } from "../../domain/accounts/SignInThrottle.ts"
import { Authorizations } from "../../domain/oauth/Authorizations.ts"
import { type Session, Sessions } from "../../domain/oauth/Sessions.ts"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { type Asking, askingPart } from "../oauth/pages/askingClient.ts"
import { cookieName, withSession } from "../web/cookie.ts"
import type { Fields } from "../web/form.ts"
import { html } from "../web/html.ts"
import { makeKnownBrowsers } from "../web/KnownBrowsers.ts"
import { page, seeOther } from "../web/layout.ts"
import { localPath } from "../web/localPath.ts"
import type { Response } from "../web/pageFrame.ts"
import { field, hiddenField, note } from "../web/pageParts.ts"
import { after, busy, makePasswordGuesses, soon } from "../web/passwordGuesses.ts"
import type { Visit } from "../web/Visitors.ts"
import { makeOpenForm } from "./openForm.ts"
import { secondStepAt } from "./stepForms.ts"
import { signIn as texts } from "./texts/signIn.ts"

interface Shown {
  readonly csrf: string
  readonly next: string
  readonly email: string
  readonly problem?: string
  readonly status?: number
  readonly done?: string
  readonly as?: string | undefined
  readonly asking?: Asking | undefined
}

const view = ({ csrf, next, email, problem, status = 200, done, as, asking }: Shown) =>
  page({
    title: texts.signIn,
    status,
    body: html`<h1>${texts.signIn}</h1>
${asking !== undefined && askingPart(asking)}
${problem !== undefined && note("bad", problem)}${done !== undefined && note("good", done)}
${as !== undefined && html`<p class="muted">${texts.youAreSigned(as)}</p>`}
<form method="post" action="/sign-in">${hiddenField("csrf", csrf)}${hiddenField("next", next)}
${field({ name: texts.emailInSentence, label: texts.email, type: "email", autocomplete: "username", value: email, max: 254 })}
${field({ name: texts.passwordInSentence, label: texts.password, type: "password", autocomplete: "current-password", max: 256 })}
<div class="buttons"><button>${texts.signIn}</button></div></form>
<p class="muted"><br><a href="/account/forgot-password">${texts.forgotPassword}</a></p>`
  })

const notices: Record<string, string> = texts.notices

export const makeSignIn = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const people = yield* People
  const sessions = yield* Sessions
  const throttle = yield* SignInThrottle
  const factors = yield* Factors
  const audit = yield* AuditLog
  const authorizations = yield* Authorizations

  /** The app whose request waits at the page that the sign-in leads to. */
  const askingAt = Effect.fnUntraced(function* (next: string, session: Session | undefined) {
    const requestId = /^\/oauth\/consent\/([\w-]+)$/.exec(next)?.[1]
    if (requestId === undefined) return undefined
    const request = yield* authorizations.view(requestId, session)
    return request._tag === "SignIn" || request._tag === "Consent" ? request : undefined
  })
  const browsers = yield* makeKnownBrowsers
  const guessAt = yield* makePasswordGuesses(browsers)
  const openForm = yield* makeOpenForm

  const show = Effect.fn("pages.signIn")(function* (visit: Visit) {
    const { person, query } = visit
    const doneNotice = notices[query.get("done")]
    const next = localPath(query.get("next"))
    const asking = yield* askingAt(next, visit.session)
    return yield* openForm(visit, (csrf) =>
      view({
        csrf,
        next,
        email: "",
        asking,
        as: person?.email,
        ...(doneNotice === undefined ? {} : { done: doneNotice })
      })
    )
  })

  const submit = Effect.fn("pages.signInSubmit")(function* (visit: Visit, fields: Fields) {
    const { session } = visit
    const email = fields.get("email").trim().slice(0, 254)
    const next = localPath(fields.get("next"))
    const asking = yield* askingAt(next, session)
    const showProblem = (problem: string, status: number) =>
      view({ csrf: session!.csrf, next, email, problem, status, asking })
    const { person: meant, guess, turn } = yield* guessAt(visit, email)
    const personId = meant?.person_id
    if (!(yield* throttle.attempt(guess))) {
      yield* audit.count({ event: "person.sign_in_throttled", personId })
      return after(showProblem(texts.tooManyAttempts, 429), 900)
    }
    const wrong = Effect.gen(function* () {
      // Told to the admins of the person whose address it is, if it is anybody's. Written before the answer either way, lest
      // the time it takes tell whose it is.
      const event = "person.sign_in_failed"
      if (personId === undefined) yield* Effect.andThen(audit.count({ event }), audit.flush)
      else yield* audit.record({ event, personId })
      return showProblem(texts.emailAddressOrThePassword, 401)
    })
    return yield* Effect.gen(function* () {
      const person = yield* people.signIn(email, fields.get("password"), turn)
      if (person === null) return yield* wrong
      yield* throttle.giveBack(guess)
      if ((yield* factors.of(person.person_id)).factors.length > 0) {
        const pending = yield* sessions.pend(session, person)
        return withSession(seeOther(secondStepAt(next)), baseUrl, pending)
      }
      const agent = visit.request.headers["user-agent"]
      const signedIn = withSession(seeOther(next), baseUrl, yield* sessions.signIn(session, person, agent))
      return yield* browsers.remember(signedIn, visit, person.person_id)
    }).pipe(
      Effect.catchTag("SignInOvertaken", () => wrong),
      Effect.catchTag("PlacesFull", () =>
        Effect.gen(function* () {
          yield* throttle.giveBack(guess)
          yield* audit.count({ event: "person.sign_in_refused", personId })
          return soon(showProblem(busy, 429))
        })
      )
    )
  })

  const signOut = Effect.fn("pages.signOut")(function* ({ session }: Visit) {
    if (session !== undefined) yield* sessions.signOut(session)
    return HttpServerResponse.setCookieUnsafe(seeOther("/sign-in?done=out"), cookieName(baseUrl), "", {
      httpOnly: true,
      secure: baseUrl.startsWith("https:"),
      sameSite: "lax",
      path: "/",
      maxAge: "0 seconds"
    }) satisfies Response
  })

  return { show, submit, signOut }
})
