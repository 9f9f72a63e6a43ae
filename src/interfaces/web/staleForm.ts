// A form that outlived its browser session leads on (decisions O25): nobody ends on a page without a way on.
import type { HttpServerResponse } from "effect/http"
import { seeOther } from "./layout.ts"
import { localPath } from "./localPath.ts"
import { isSignedIn, type Visit } from "./Visitors.ts"

export const signInFirst = (path: string) => seeOther(`/sign-in?next=${encodeURIComponent(path)}`)

/** True if the token has the form that sessions give it: anything else was never in a form of ours. */
export const isToken = (csrf: string) => /^[\w-]{43}$/.test(csrf)

/** Forms of the sign-in, and of what has no page: whoever is nobody goes to the sign-in from there. */
const ofSignIn = /^\/sign-(?:in(?:\/|$)|out$)/

/**
 * Redirects a form whose browser session has changed since (decisions O25): somebody signed in or out in another tab, or the cookie was
 * lost.
 * @param open true if anybody may see the form's page
 */
export const leadsOn = (visit: Visit, next: string, open: boolean): HttpServerResponse.HttpServerResponse => {
  const { path } = visit
  const target = next !== "" ? localPath(next) : ofSignIn.test(path) ? "/" : path
  if (isSignedIn(visit)) return seeOther(target)
  return open && !ofSignIn.test(path) ? seeOther(path) : signInFirst(target)
}
