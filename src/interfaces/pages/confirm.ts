// `/account/confirm`: before a second step is changed, its person shows anew that it is them, by the password or a second step (decisions, "The second
// step"). It counts for ten minutes, for this session.
import { Effect } from "effect"
import { People } from "../../domain/accounts/People.ts"
import { maximumLength } from "../../domain/accounts/passwords.ts"
import { SignInThrottle } from "../../domain/accounts/SignInThrottle.ts"
import { SessionProofs } from "../../domain/oauth/SessionProofs.ts"
import type { Fields } from "../web/form.ts"
import { html } from "../web/html.ts"
import { makeKnownBrowsers } from "../web/KnownBrowsers.ts"
import { page, seeOther } from "../web/layout.ts"
import { localPath } from "../web/localPath.ts"
import { forged } from "../web/pageFrame.ts"
import { field, hiddenField, note } from "../web/pageParts.ts"
import { after, busy, makePasswordGuesses, soon } from "../web/passwordGuesses.ts"
import type { SignedIn } from "../web/Visitors.ts"
import { passkeyScripts } from "./passkeyAssets.ts"
import { makeSteps, stepForms, tooMany } from "./stepForms.ts"
import { confirm as texts } from "./texts/secondSteps.ts"

const action = "/account/confirm"

/** Address of the confirmation page, which leads back to `next` afterwards. */
export const confirmAt = (next: string) => `${action}?next=${encodeURIComponent(next)}`

export const makeConfirm = Effect.gen(function* () {
  const people = yield* People
  const proofs = yield* SessionProofs
  const throttle = yield* SignInThrottle
  const guessAt = yield* makePasswordGuesses(yield* makeKnownBrowsers)
  const steps = yield* makeSteps

  const view = Effect.fnUntraced(function* (visit: SignedIn, next: string, problem?: string, status = 200) {
    const { person, session } = visit
    const { asked, totp } = yield* steps.offered(session, person.person_id)
    const common = html`${hiddenField("csrf", session.csrf)}${hiddenField("next", next)}`
    return page({
      title: texts.confirmThatItIsYou,
      visit,
      status,
      scripts: asked === undefined ? [] : passkeyScripts,
      body: html`<h1>${texts.confirmThatItIsYou}</h1>${problem !== undefined && note("bad", problem)}
<p class="lead">${texts.whatFollowsChanges}${(asked !== undefined || totp) && texts.orUseASecondStep}.</p>
<div class="card"><form method="post" action="${action}">${common}${hiddenField("method", "password")}
<input type="hidden" name="username" autocomplete="username" value="${person.email}">
${field({ name: texts.passwordInSentence, label: texts.password, type: "password", autocomplete: "current-password", max: maximumLength })}
<div class="buttons"><button>${texts.confirm}</button></div></form>
${stepForms({ action, common, asked, totp, button: texts.confirmByCode })}</div>`
    })
  })

  const byPassword = Effect.fnUntraced(function* (visit: SignedIn, next: string, fields: Fields) {
    const { email, person_id } = visit.person
    const { guess, turn } = yield* guessAt(visit, email)
    if (!(yield* throttle.attempt(guess))) return after(yield* view(visit, next, texts.tooManyAttempts, 429), 900)
    return yield* people.signIn(email, fields.get("password"), turn).pipe(
      Effect.flatMap((right) =>
        right?.person_id === person_id
          ? Effect.as(throttle.giveBack(guess), undefined)
          : view(visit, next, texts.passwordIsWrong, 400)
      ),
      Effect.catchTag("PlacesFull", () =>
        Effect.andThen(throttle.giveBack(guess), Effect.map(view(visit, next, busy, 429), soon))
      )
    )
  })

  const byStep = Effect.fnUntraced(function* (visit: SignedIn, next: string, fields: Fields) {
    if (fields.get("method") === "recovery_code") return forged
    const step = yield* steps.tried(visit, visit.session, visit.person, fields)
    if (step === undefined) return forged
    if (step === "throttled") return after(yield* view(visit, next, tooMany, 429), 900)
    return step === "refused" ? yield* view(visit, next, texts.thatWasNotRight, 400) : undefined
  })

  const submit = Effect.fn("pages.confirmSubmit")(function* (visit: SignedIn, fields: Fields) {
    const next = localPath(fields.get("next"))
    const refusal = yield* fields.get("method") === "password"
      ? byPassword(visit, next, fields)
      : byStep(visit, next, fields)
    if (refusal !== undefined) return refusal
    yield* proofs.confirm(visit.session)
    return seeOther(next)
  })

  return {
    show: Effect.fn("pages.confirm")((visit: SignedIn) => view(visit, localPath(visit.query.get("next")))),
    submit
  }
})
