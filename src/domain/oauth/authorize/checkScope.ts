// Requires that every requested scope exists; without `scope` the request is for the two read scopes (service.md 4.1).
import { defaultScopes, type Scope } from "../../accounts/Scope.ts"
import type { Check } from "../check.ts"
import type { Params } from "../params.ts"
import { refuse } from "../reasons.ts"
import { isScope, splitScopes } from "../scopes.ts"
import type { TrustedRequest } from "./TrustedRequest.ts"

export const scope: Check<TrustedRequest> = ({ params }) =>
  splitScopes(params.get("scope") ?? "").every(isScope) ? undefined : refuse("AUTHORIZE_SCOPE_UNKNOWN")

/** Scopes that the person is asked to grant. */
export const requestedScopes = (params: Params): ReadonlyArray<Scope> => {
  const sentScopes = splitScopes(params.get("scope") ?? "").filter(isScope)
  return sentScopes.length === 0 ? defaultScopes : sentScopes
}
