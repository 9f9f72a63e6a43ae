// `/sign-in/second-step`: the password was right, and the session is nobody's until this is done (decisions, "The second step"). Then a new one begins.
import { Effect } from "effect"
import { methodsOf } from "../../domain/accounts/factors/factorChecks.ts"
import { People, type Person } from "../../domain/accounts/People.ts"
import { type Session, Sessions } from "../../domain/oauth/Sessions.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { withSession } from "../web/cookie.ts"
import type { Fields } from "../web/form.ts"
import { html } from "../web/html.ts"
import { makeKnownBrowsers } from "../web/KnownBrowsers.ts"
import { page, seeOther } from "../web/layout.ts"
import { localPath } from "../web/localPath.ts"
import { forged } from "../web/pageFrame.ts"
import { hiddenField, note } from "../web/pageParts.ts"
import { after } from "../web/passwordGuesses.ts"
import type { Visit } from "../web/Visitors.ts"
import { passkeyScripts } from "./passkeyAssets.ts"
import { makeSteps, recoveryForm, stepForms, tooMany } from "./stepForms.ts"
import { secondStep as texts } from "./texts/secondSteps.ts"

const action = "/sign-in/second-step"

interface Problem {
  readonly text: string
  readonly status: number
  /** The form that was sent is the open one. */
  readonly recovery: boolean
}

export const makeSecondStep = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const people = yield* People
  const sessions = yield* Sessions
  const browsers = yield* makeKnownBrowsers
  const steps = yield* makeSteps

  /** The session that waits for it, and whose it is to be. */
  const findPending = Effect.fnUntraced(function* ({ session }: Visit) {
    if (session === undefined || session.pending_person_id === null) return undefined
    const person = yield* people.byId(session.pending_person_id)
    return person === undefined ? undefined : { session, person }
  })

  const view = Effect.fnUntraced(function* (session: Session, person: Person, next: string, problem?: Problem) {
    const { asked, totp } = yield* steps.offered(session, person.person_id)
    const common = html`${hiddenField("csrf", session.csrf)}${hiddenField("next", next)}`
    const recovery = problem?.recovery === true || (asked === undefined && !totp)
    return page({
      title: texts.secondStep,
      status: problem?.status ?? 200,
      scripts: asked === undefined ? [] : passkeyScripts,
      body: html`<h1>${texts.secondStep}</h1>${problem !== undefined && note("bad", problem.text)}
<p class="muted">${texts.youAreSigning(person.email)}</p>
${stepForms({ action, common, asked, totp, button: texts.signIn })}
${recoveryForm(action, common, recovery)}
<p class="muted"><br><a href="/sign-in?next=${encodeURIComponent(next)}">${texts.signInAsSomebodyElse}</a></p>`
    })
  })

  const redirectToSignIn = (next: string) => seeOther(`/sign-in?next=${encodeURIComponent(next)}`)

  const show = Effect.fn("pages.secondStep")(function* (visit: Visit) {
    const next = localPath(visit.query.get("next"))
    const pendingSignIn = yield* findPending(visit)
    return pendingSignIn === undefined
      ? redirectToSignIn(next)
      : yield* view(pendingSignIn.session, pendingSignIn.person, next)
  })

  const submit = Effect.fn("pages.secondStepSubmit")(function* (visit: Visit, fields: Fields) {
    const next = localPath(fields.get("next"))
    const pendingSignIn = yield* findPending(visit)
    if (pendingSignIn === undefined) return redirectToSignIn(next)
    const { person, session } = pendingSignIn
    const step = yield* steps.tried(visit, session, person, fields)
    if (step === undefined) return forged
    const recovery = fields.get("method") === "recovery_code"
    if (step === "throttled")
      return after(yield* view(session, person, next, { text: tooMany, status: 429, recovery }), 900)
    if (step === "refused") {
      const text = texts.thatWasNotRight
      return yield* view(session, person, next, { text, status: 401, recovery })
    }
    const agent = visit.request.headers["user-agent"]
    return yield* sessions.signIn(session, person, agent, methodsOf(step)).pipe(
      Effect.flatMap((begun) =>
        browsers.remember(withSession(seeOther(next), baseUrl, begun), visit, person.person_id)
      ),
      Effect.catchTag("SignInOvertaken", () => Effect.succeed(redirectToSignIn(next)))
    )
  })

  return { show, submit }
})
