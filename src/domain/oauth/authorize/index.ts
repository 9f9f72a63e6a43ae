// Checks an authorization request after its client and redirect URI are trusted, in the order of service.md 7.1 (decisions O18).
import { firstRefusal } from "../check.ts"
import { challenge } from "./checkChallenge.ts"
import { parameters } from "./checkParameters.ts"
import { resource } from "./checkResource.ts"
import { responseType } from "./checkResponseType.ts"
import { scope } from "./checkScope.ts"

/** The first fault, which is what counts. */
export const faultOf = firstRefusal([parameters, responseType, challenge, scope, resource])
