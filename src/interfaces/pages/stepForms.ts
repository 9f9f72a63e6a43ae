// The forms of a second step, and how what they send is tried (decisions, "The second step"): at the sign-in, and where somebody has to show anew
// that it is them.
import { Effect } from "effect"
import { Factors } from "../../domain/accounts/factors/Factors.ts"
import type { StepAnswer } from "../../domain/accounts/factors/factorChecks.ts"
import type { Person } from "../../domain/accounts/People.ts"
import { SignInThrottle } from "../../domain/accounts/SignInThrottle.ts"
import { SessionProofs } from "../../domain/oauth/SessionProofs.ts"
import type { Session } from "../../domain/oauth/Sessions.ts"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import type { Fields } from "../web/form.ts"
import { type Html, html } from "../web/html.ts"
import { makeKnownBrowsers } from "../web/KnownBrowsers.ts"
import { field, hiddenField } from "../web/pageParts.ts"
import { makePasswordGuesses } from "../web/passwordGuesses.ts"
import type { Visit } from "../web/Visitors.ts"
import { stepForms as texts } from "./texts/secondSteps.ts"

/** Address where a sign-in continues for a person with a second step. */
export const secondStepAt = (next: string) => `/sign-in/second-step?next=${encodeURIComponent(next)}`

/** A form whose button asks the browser for a passkey. */
export const passkeyForm = (action: string, does: "create" | "get", asked: object, inner: Html, button: string): Html =>
  html`<form method="post" action="${action}" data-passkey="${does}" data-options="${JSON.stringify(asked)}">${inner}${hiddenField("answer", "")}
<noscript><p>${texts.passkeysNeedJavaScript}</p></noscript><p role="alert" class="problem"></p><div class="buttons"><button>${button}</button></div></form>`

interface Parts {
  readonly action: string
  /** Fields that each form carries. */
  readonly common: Html
  readonly asked: object | undefined
  readonly totp: boolean
  readonly button: string
}

export const stepForms = ({ action, asked, button, common, totp }: Parts): Html =>
  html`${asked !== undefined && passkeyForm(action, "get", asked, html`${common}${hiddenField("method", "passkey")}`, texts.useYourPasskey)}
${
  totp &&
  html`<form method="post" action="${action}">${common}${hiddenField("method", "totp")}
${field({ name: texts.code, label: texts.codeOfYourAuthenticatorApp, type: "text", autocomplete: "one-time-code", numeric: true, max: 12 })}
<div class="buttons"><button${asked !== undefined && html` class="quiet"`}>${button}</button></div></form>`
}`

export const recoveryForm = (action: string, common: Html, open: boolean): Html =>
  html`<details${open && html` open`}><summary>${texts.useARecoveryCode}</summary><form method="post" action="${action}">${common}${hiddenField("method", "recovery_code")}
${field({ name: texts.recovery, label: texts.recoveryCode, type: "text", max: 40, hint: texts.eachWorksOnce })}<div class="buttons"><button class="quiet">${texts.signInWithIt}</button></div></form></details>`

export const tooMany = texts.tooManyAttempts

export const makeSteps = Effect.gen(function* () {
  const factors = yield* Factors
  const proofs = yield* SessionProofs
  const throttle = yield* SignInThrottle
  const audit = yield* AuditLog
  const guessAt = yield* makePasswordGuesses(yield* makeKnownBrowsers)

  const answerOf = Effect.fnUntraced(function* (session: Session, fields: Fields) {
    switch (fields.get("method")) {
      case "passkey":
        return {
          type: "passkey",
          text: fields.get("answer"),
          challenge: yield* proofs.asked(session)
        } satisfies StepAnswer
      case "totp":
        return { type: "totp", text: fields.get("code").slice(0, 20) } satisfies StepAnswer
      case "recovery_code":
        return { type: "recovery_code", text: fields.get("recovery").slice(0, 60) } satisfies StepAnswer
      default:
        return undefined
    }
  })

  return {
    /** Second steps that the forms offer the person; a challenge for their passkeys is stored with the session. */
    offered: Effect.fnUntraced(function* (session: Session, personId: number) {
      const ownFactors = yield* factors.of(personId)
      const passkeyRequest = yield* factors.askToSign(personId)
      if (passkeyRequest !== undefined) yield* proofs.ask(session, passkeyRequest.challenge)
      return { asked: passkeyRequest, totp: ownFactors.factors.some(({ kind }) => kind === "totp") }
    }),

    /** Which second step it was; refused otherwise. Undefined for what is no form of ours. */
    tried: Effect.fnUntraced(function* (visit: Visit, session: Session, person: Person, fields: Fields) {
      const answer = yield* answerOf(session, fields)
      if (answer === undefined) return undefined
      const { guess } = yield* guessAt(visit, person.email)
      if (!(yield* throttle.attemptStep(guess, answer.type))) {
        yield* audit.count({ event: "person.second_step_throttled", personId: person.person_id })
        return "throttled" as const
      }
      if (!(yield* factors.check(person, answer))) return "refused" as const
      yield* throttle.giveBackStep(guess, answer.type)
      return answer.type
    })
  }
})
