// What is checked once client and redirect URI are trusted, in the order of service.md 7.1 (decisions O18).
import type { OAuthRefused } from "../reasons.ts"
import type { Check, TrustedRequest } from "./Check.ts"
import { challenge } from "./challenge.ts"
import { parameters } from "./parameters.ts"
import { resource } from "./resource.ts"
import { responseType } from "./responseType.ts"
import { scope } from "./scope.ts"

const checks: ReadonlyArray<Check> = [parameters, responseType, challenge, scope, resource]

/** The first fault, which is what counts. */
export const faultOf = (request: TrustedRequest): OAuthRefused | undefined => {
  for (const check of checks) {
    const refused = check(request)
    if (refused !== undefined) return refused
  }
  return undefined
}
