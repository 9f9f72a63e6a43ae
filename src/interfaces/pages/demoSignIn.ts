// `/sign-in/demo/{token}`: the link that `npm start` prints for the demo person (DemoLinks.ts) leads into the console, signed in. A second step is
// asked for as ever.
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { DemoLinks } from "../../domain/accounts/DemoLinks.ts"
import { Factors } from "../../domain/accounts/factors/Factors.ts"
import { Sessions } from "../../domain/oauth/Sessions.ts"
import { AuditLog, SourceAddress } from "../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { withSession } from "../web/cookie.ts"
import { html } from "../web/html.ts"
import { messagePage, seeOther } from "../web/layout.ts"
import { isForwarded } from "../web/thisMachine.ts"
import type { Visit } from "../web/Visitors.ts"
import { secondStepAt } from "./stepForms.ts"
import { demoSignIn as texts } from "./texts/signIn.ts"

const dead = messagePage(
  texts.thisLinkDoesNotWork,
  texts.itWasUsedHasExpired,
  400,
  html`<p><a href="/sign-in?next=/console">${texts.signIn}</a></p>`
)

export const makeDemoSignIn = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const links = yield* DemoLinks
  const factors = yield* Factors
  const sessions = yield* Sessions
  const audit = yield* AuditLog

  return Effect.fn("pages.demoSignIn")(function* ({ request, session }: Visit) {
    // A HEAD request, which only probes, does not use up the link. Nor does a request through a proxy, whose address is not the person's.
    if (request.method !== "GET" || isForwarded(request.headers)) return dead
    const token = ((yield* HttpRouter.params)["token"] ?? "").slice(0, 200)
    const source = yield* SourceAddress
    return yield* links.redeem(token, source).pipe(
      Effect.flatMap(
        Effect.fnUntraced(function* ({ person_id }) {
          yield* audit.record({ event: "person.demo_link_used", personId: person_id })
          const ownFactors = yield* factors.of(person_id)
          if (ownFactors.factors.length > 0)
            return withSession(
              seeOther(secondStepAt("/console")),
              baseUrl,
              yield* sessions.pend(session, { person_id })
            )
          const newSession = yield* sessions.signIn(session, { person_id }, request.headers["user-agent"], [])
          return withSession(seeOther("/console"), baseUrl, newSession)
        })
      ),
      Effect.catchTag(["LinkInvalid", "SignInOvertaken"], () => Effect.succeed(dead))
    )
  })
})
