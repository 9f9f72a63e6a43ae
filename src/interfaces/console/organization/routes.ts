// `/console/organization/…`: what the console asks and changes for an organization's admins beside the API (docs/decisions.md, "The
// console"): by the session's cookie, since a confirmed identity belongs to a session.
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { makePageCalls } from "../pageCalls.ts"
import { addSignInPolicyActs } from "./signInPolicyActs.ts"

export const ConsoleOrganizationRoutes = HttpRouter.use(() =>
  Effect.gen(function* () {
    yield* addSignInPolicyActs(yield* makePageCalls)
  })
)
