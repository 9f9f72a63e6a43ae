// A forgotten password: a link by mail, with the same answer, in the same time, for addresses that nobody has (decisions O12).
import { randomUUID } from "node:crypto"
import { Effect, Option } from "effect"
import { linkHours, People, type Person } from "../../domain/accounts/People.ts"
import { SignInThrottle } from "../../domain/accounts/SignInThrottle.ts"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { Mail } from "../../platform/mail/Mail.ts"
import type { Fields } from "../web/form.ts"
import { html } from "../web/html.ts"
import { makeKnownBrowsers } from "../web/KnownBrowsers.ts"
import { messagePage, page } from "../web/layout.ts"
import { field, hiddenField } from "../web/pageParts.ts"
import { after, makePasswordGuesses } from "../web/passwordGuesses.ts"
import type { Visit } from "../web/Visitors.ts"
import { makeOpenForm } from "./openForm.ts"
import { forgotPassword as texts } from "./texts/signIn.ts"

const backLink = html`<p><a href="/sign-in">${texts.backToSignIn}</a></p>`

export const makeForgotPassword = Effect.gen(function* () {
  const { baseUrl, smtpUrl } = yield* AppConfig
  const people = yield* People
  const mail = yield* Mail
  const throttle = yield* SignInThrottle
  const audit = yield* AuditLog
  const guessAt = yield* makePasswordGuesses(yield* makeKnownBrowsers)
  const openForm = yield* makeOpenForm
  // Mail that is only kept in the database would keep a usable link there (decisions O9).
  const mails = Option.isSome(smtpUrl)

  const send = Effect.fn("pages.sendPasswordLink")(function* (person: Person) {
    const { url } = yield* people.oneTimeLink(person.person_id)
    yield* audit.record({ event: "person.password_link_sent", personId: person.person_id })
    yield* mail.send({
      orgId: null,
      to: person.email,
      subject: texts.setYourPassword,
      text: texts.somebodyProbablyYouAsked(person.email, baseUrl, linkHours, url),
      messageId: `password-${randomUUID()}`,
      system: true
    })
  })

  const show = Effect.fn("pages.forgotPassword")(function* (visit: Visit) {
    if (!mails) {
      return messagePage(texts.forgotPassword, texts.thisInstallationSendsNoMail, 200, backLink)
    }
    return yield* openForm(visit, (csrf) =>
      page({
        title: texts.forgotPassword,
        body: html`<h1>${texts.forgotPassword}</h1><p>${texts.weMailYouALink}</p>
<form method="post" action="/account/forgot-password">${hiddenField("csrf", csrf)}
${field({ name: texts.emailInSentence, label: texts.email, type: "email", autocomplete: "username", max: 254 })}
<div class="buttons"><button>${texts.sendLink}</button></div></form>${backLink}`
      })
    )
  })

  const submit = Effect.fn("pages.forgotPasswordSubmit")(function* (visit: Visit, fields: Fields) {
    const email = fields.get("email").trim().slice(0, 254)
    const { person, guess } = yield* guessAt(visit, email)
    const allowed = yield* throttle.link(guess)
    if (allowed === "refused")
      return after(messagePage(texts.tooManyRequests, texts.tryAgainInAnHour, 429, backLink), 3600)
    if (mails && allowed === "allowed" && person !== undefined) {
      yield* send(person).pipe(
        Effect.catchCause((cause) => Effect.logError("a link to set a password was not sent", cause)),
        Effect.forkDetach
      )
    }
    return messagePage(texts.checkYourMail, texts.ifSomebodyHasASign(linkHours), 200, backLink)
  })

  return { show, submit }
})
