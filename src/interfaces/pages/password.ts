// Setting a password by a one-time link, and changing it (decisions O12). Connections, keys and tokens survive (service.md 3.2);
// sessions in other browsers do not.
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { Factors } from "../../domain/accounts/factors/Factors.ts"
import { People } from "../../domain/accounts/People.ts"
import { maximumLength } from "../../domain/accounts/passwords.ts"
import { SignInThrottle } from "../../domain/accounts/SignInThrottle.ts"
import type { Fields } from "../web/form.ts"
import { html } from "../web/html.ts"
import { makeKnownBrowsers } from "../web/KnownBrowsers.ts"
import { messagePage, page, seeOther } from "../web/layout.ts"
import { field, hiddenField, note } from "../web/pageParts.ts"
import { makePasswordChange } from "../web/passwordChange.ts"
import { after, busy, soon } from "../web/passwordGuesses.ts"
import type { SignedIn, Visit } from "../web/Visitors.ts"
import { newPasswordFields, newPasswordProblem } from "./newPassword.ts"
import { makeOpenForm } from "./openForm.ts"
import { password as texts } from "./texts/signIn.ts"

const deadLink = messagePage(
  texts.thisLinkDoesNotWork,
  texts.itWasUsedHasExpired,
  400,
  html`<p><a href="/account/forgot-password">${texts.forgotPassword}</a> · <a href="/sign-in">${texts.signIn}</a></p>`
)

export const makePassword = Effect.gen(function* () {
  const people = yield* People
  const throttle = yield* SignInThrottle
  const factors = yield* Factors
  const browsers = yield* makeKnownBrowsers
  const changePassword = yield* makePasswordChange
  const openForm = yield* makeOpenForm
  const linkToken = Effect.map(HttpRouter.params, (params) => (params["token"] ?? "").slice(0, 200))

  const linkForm = (token: string, email: string, csrf: string, problem?: string, status = 400) =>
    page({
      title: texts.setYourPassword,
      status: problem === undefined ? 200 : status,
      body: html`<h1>${texts.setYourPassword}</h1>${problem !== undefined && note("bad", problem)}<p>${texts.forEmail(html`<strong>${email}</strong>`)}</p>
<form method="post" action="/account/password/${encodeURIComponent(token)}">${hiddenField("csrf", csrf)}
<input type="hidden" name="username" autocomplete="username" value="${email}">${newPasswordFields}
<div class="buttons"><button>${texts.setPassword}</button></div></form>`
    })

  const showLink = Effect.fn("pages.passwordLink")(function* (visit: Visit) {
    const token = yield* linkToken
    return yield* Effect.gen(function* () {
      const person = yield* people.peekLink(token)
      return yield* openForm(visit, (csrf) => linkForm(token, person.email, csrf))
    }).pipe(Effect.catchTag("LinkInvalid", () => Effect.succeed(deadLink)))
  })

  const useLink = Effect.fn("pages.passwordLinkSubmit")(function* (visit: Visit, fields: Fields) {
    const token = yield* linkToken
    const formAgain = (problem: string, status: number) =>
      Effect.map(people.peekLink(token), ({ email }) => linkForm(token, email, visit.session!.csrf, problem, status))
    const problem = newPasswordProblem(fields)
    return yield* Effect.gen(function* () {
      if (problem !== undefined) return yield* formAgain(problem, 400)
      const person = yield* people.redeemLink(token, fields.get("password"))
      yield* throttle.forgive(String(person.person_id))
      const signInRedirect = seeOther("/sign-in?done=password")
      // The holder of the link is the person: guesses from elsewhere do not keep them out of the sign-in that follows. This does not hold
      // with a second step: a reader of the person's mail would get as many guesses at it as links they ask for.
      const { factors: own } = yield* factors.of(person.person_id)
      return own.length > 0 ? signInRedirect : yield* browsers.remember(signInRedirect, visit, person.person_id)
    }).pipe(
      Effect.catchTag("PlacesFull", () => Effect.map(formAgain(busy, 429), soon)),
      Effect.catchTag(["LinkInvalid", "ValidationError"], () => Effect.succeed(deadLink))
    )
  })

  const changeForm = (visit: SignedIn, problem?: string, status = 200) =>
    page({
      title: texts.password,
      visit,
      status,
      body: html`<h1>${texts.changePassword}</h1>
${problem !== undefined && note("bad", problem)}${visit.query.get("done") === "changed" && note("good", texts.passwordIsChanged)}
<div class="card"><form method="post" action="/account/password">${hiddenField("csrf", visit.session.csrf)}
<input type="hidden" name="username" autocomplete="username" value="${visit.person.email}">
${field({ name: texts.current, label: texts.currentPassword, type: "password", autocomplete: "current-password", max: maximumLength })}
${newPasswordFields}<button>${texts.changePassword}</button></form></div>`
    })

  const change = Effect.fn("pages.passwordChange")(function* (visit: SignedIn, fields: Fields) {
    const problem = newPasswordProblem(fields)
    if (problem !== undefined) return changeForm(visit, problem, 400)
    switch (yield* changePassword(visit, fields.get("current"), fields.get("password"))) {
      case "throttled":
        return after(changeForm(visit, texts.tooManyAttempts, 429), 900)
      case "busy":
        return soon(changeForm(visit, busy, 429))
      case "wrong":
        return changeForm(visit, texts.currentPasswordIsWrong, 400)
      case "changed":
        return yield* browsers.remember(seeOther("/account/password?done=changed"), visit, visit.person.person_id)
    }
  })

  /** Link for people whom the console does not let in: users of no organization, or of none yet. */
  const showChange = (visit: SignedIn) =>
    Effect.succeed(visit.users.length > 0 ? seeOther("/console/account/sign-in") : changeForm(visit))

  return { showLink, useLink, showChange, change }
})
