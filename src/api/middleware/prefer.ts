// `Prefer: return=minimal` (RFC 7240 4.2): the caller needs no more of what it wrote than its ids.
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { elementEnd, headerParameters } from "../../platform/primitives/headerParameters.ts"
import { appliesPreference, appliesPreferences } from "./answerHeaders.ts"

/** True for endpoints whose handlers ask `prefersMinimal`. */
export const Prefers = Context.Reference<boolean>("millrace/http/Prefers", { defaultValue: () => false })

/** The endpoint takes `Prefer`; its handler asks `prefersMinimal`. */
export const prefers = <E>(endpoint: E): E =>
  appliesPreferences((endpoint as unknown as HttpApiEndpoint.Top).annotate(Prefers, true) as unknown as E)

/** The first `return` of the header counts (RFC 7240 2); other preferences are ignored. */
export const returnPreference = (header: string | undefined): string | undefined => {
  for (let from = 0; header !== undefined && from < header.length; ) {
    const end = elementEnd(header, from)
    // What stands behind a semicolon belongs to another preference.
    const [preference] = header.slice(from, end).split(";", 1)
    const value = headerParameters(`;${preference}`).get("return")
    if (value !== undefined) return value
    from = end + 1
  }
  return undefined
}

/** True if the answer is to be minimal, which its headers then say. */
export const prefersMinimal = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  if (returnPreference(headers["prefer"]) !== "minimal") return false
  yield* appliesPreference("return=minimal")
  return true
})
