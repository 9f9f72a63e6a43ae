// The consent page and its form (service.md 3.2, 4.1; decisions O11, O12, O19).
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { keptOutWords } from "../../../domain/connections/connectPermission.ts"
import { Authorizations } from "../../../domain/oauth/Authorizations.ts"
import type { ConsentDecision } from "../../../domain/oauth/consentDecisions.ts"
import type { Fields } from "../../web/form.ts"
import { html } from "../../web/html.ts"
import { messagePage, seeOther } from "../../web/layout.ts"
import { onMethods } from "../../web/methods.ts"
import { forged, makeFrame } from "../../web/pageFrame.ts"
import type { Visit } from "../../web/Visitors.ts"
import { type Consent, consentPage, faultPage } from "./consentPages.ts"
import { handlers as texts } from "./texts.ts"

const closedPage = messagePage(
  texts.thisRequestIsNotOpen,
  texts.itWasAnsweredAlready,
  400,
  html`<p><a href="/">${texts.startPage}</a></p>`
)

const decisionOf = (fields: Fields): ConsentDecision | undefined => {
  const decision = fields.get("decision")
  if (decision === "decline" || decision === "return") return { type: decision }
  const userId = fields.id("user_id")
  return decision === "approve" && userId !== undefined ? { type: "approve", userId } : undefined
}

const noOrganization = texts.chooseTheOrganization

export const makeConsent = Effect.gen(function* () {
  const authorizations = yield* Authorizations
  const { shown, postedByAnyone } = yield* makeFrame
  const requestId = Effect.map(HttpRouter.params, (params) => params["request_id"] ?? "")

  const consent = (visit: Visit, view: Consent, problem?: string) =>
    consentPage(view, visit.session!.csrf, visit.person?.email ?? "", problem)

  const show = Effect.fn("pages.consent")(function* (visit: Visit) {
    const view = yield* authorizations.view(yield* requestId, visit.session)
    switch (view._tag) {
      case "Gone":
        return closedPage
      case "SignIn":
        return seeOther(`/sign-in?next=${encodeURIComponent(`/oauth/consent/${view.requestId}`)}`)
      case "Fault":
        return faultPage(view, visit.session!.csrf)
      case "Consent":
        return consent(visit, view)
    }
  })

  const decide = Effect.fn("pages.decide")(function* (visit: Visit, fields: Fields) {
    const decision = decisionOf(fields)
    if (decision === undefined) {
      if (fields.get("decision") !== "approve") return forged
      const view = yield* authorizations.view(yield* requestId, visit.session)
      return view._tag === "Consent" ? consent(visit, view, noOrganization) : yield* show(visit)
    }
    const decided = yield* authorizations.decide(yield* requestId, visit.session!, decision)
    if (decided === undefined) return closedPage
    if (typeof decided === "string") return seeOther(decided)
    // The user became excluded while the page was open, or was not offered there to begin with.
    const view = yield* authorizations.view(yield* requestId, visit.session)
    return view._tag === "Consent" ? consent(visit, view, keptOutWords[decided.keptOut]) : yield* show(visit)
  })

  return onMethods(shown(show), postedByAnyone(decide))
})
